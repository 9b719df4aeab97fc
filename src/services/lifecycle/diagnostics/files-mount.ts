/** One path segment followed by one more, because the public client accepts only upload URLs of the form container/blob. */
export const FILES_MOUNT = '/lifecycle-files';
