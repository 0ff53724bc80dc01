# Makes the plain comments of a public header ones that Doxygen reads: the first
# is the file's, one before a declaration is of that, one behind a member is of
# the member.
1s,^/\*$,/** \\file,
\,^/\* -,!s,^( *)/\*( |$),\1/**\2,
s,([;\,]) */\* ,\1 /**< ,
