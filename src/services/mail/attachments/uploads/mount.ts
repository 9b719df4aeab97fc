/** Upload sessions are mounted outside the mailboxes, since clients send no token there. */
export const UPLOAD_MOUNT = '/owa/uploads';
