/** Where upload sessions are: outside of the mailboxes, since no token is sent there. */
export const UPLOAD_MOUNT = '/owa/uploads';
