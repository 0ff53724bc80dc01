# Makes C byte arrays of .cl files, so that programs need no file at run time.
# A byte array has no limit of length, unlike a string literal (C11 5.2.4.1).
# A line #include "NAME" is replaced by the file NAME beside the .cl file, since
# OpenCL compilers have no files to include.
#
# Included, it defines clconst_embed_kernels. Run with -P, it embeds one file:
# INPUT is the .cl file, OUTPUT the C file, NAME the array.

if(CMAKE_SCRIPT_MODE_FILE)
  file(READ ${INPUT} text)
  get_filename_component(folder ${INPUT} DIRECTORY)
  string(REGEX MATCHALL "#include \"[^\"]+\"" lines "${text}")
  foreach(line ${lines})
    string(REGEX REPLACE "#include \"([^\"]+)\"" "\\1" included "${line}")
    file(READ ${folder}/${included} part)
    string(REPLACE "${line}" "${part}" text "${text}")
  endforeach()
  file(WRITE ${OUTPUT}.cl "${text}")
  file(READ ${OUTPUT}.cl content HEX)
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
  file(GLOB headers CONFIGURE_DEPENDS
       ${CMAKE_CURRENT_FUNCTION_LIST_DIR}/*.clh)
  foreach(kernel ${ARGN})
    get_filename_component(name ${kernel} NAME_WE)
    set(output ${CMAKE_CURRENT_BINARY_DIR}/kernel_${name}.c)
    add_custom_command(
      OUTPUT ${output}
      COMMAND ${CMAKE_COMMAND} -DINPUT=${kernel} -DOUTPUT=${output}
              -DNAME=${name} -P ${script}
      DEPENDS ${kernel} ${headers} ${script}
      VERBATIM)
    target_sources(${target} PRIVATE ${output})
  endforeach()
endfunction()
