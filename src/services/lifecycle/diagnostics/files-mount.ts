/** One segment and another, as the public client takes uploads only to a container and a blob in it. */
export const FILES_MOUNT = '/lifecycle-files';
