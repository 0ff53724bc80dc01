# Makes C byte arrays of .cl files, so that programs need no file at run time.
# A byte array has no limit of length, unlike a string literal (C11 5.2.4.1).
#
# Included, it defines clconst_embed_kernels. Run with -P, it embeds one file:
# INPUT is the .cl file, OUTPUT the C file, NAME the array.

if(CMAKE_SCRIPT_MODE_FILE)
  file(READ ${INPUT} content HEX)
  string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," bytes "${content}")
  string(REGEX REPLACE "(0x..,0x..,0x..,0x..,0x..,0x..,0x..,0x..,)" "\\1\n"
         bytes "${bytes}")
  file(WRITE ${OUTPUT}
    "#include \"backend/opencl/source.h\"\n\n"
    "static const char text[] = {\n${bytes}};\n\n"
    "const clconst__source clconst__source_${NAME} = {\n"
    "    \"${NAME}.cl\", text, sizeof(text)};\n")
  return()
endif()

function(clconst_embed_kernels target)
  set(script ${CMAKE_CURRENT_FUNCTION_LIST_FILE})
  foreach(kernel ${ARGN})
    get_filename_component(name ${kernel} NAME_WE)
    set(output ${CMAKE_CURRENT_BINARY_DIR}/kernel_${name}.c)
    add_custom_command(
      OUTPUT ${output}
      COMMAND ${CMAKE_COMMAND} -DINPUT=${kernel} -DOUTPUT=${output}
              -DNAME=${name} -P ${script}
      DEPENDS ${kernel} ${script}
      VERBATIM)
    target_sources(${target} PRIVATE ${output})
  endforeach()
endfunction()
