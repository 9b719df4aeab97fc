/** API name of the pages for users: the mailbox, and the targets of `webLink`. */
export const MAIL_PAGES = 'mail-pages';

export const MAIL_PATH = '/mail';
/** Path prefix of `webLink`. */
export const OWA_PATH = '/owa';
/** Path prefix of online meetings. */
export const MEET_PATH = '/meet';
