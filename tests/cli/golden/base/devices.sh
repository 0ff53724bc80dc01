# shellcheck shell=sh
# The devices of a machine without any.
export OCL_ICD_VENDORS=/nonexistent
try devices | mask_devices
try devices --json | mask_devices
