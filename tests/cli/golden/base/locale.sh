# shellcheck shell=sh
# The decimal point is a point, whatever the locale.
LC_ALL=de_DE.UTF-8
export LC_ALL
try fill --device cpu --dtype float --value 1.5 --shape 1
try fill --device cpu --dtype float --value 1,5 --shape 1
