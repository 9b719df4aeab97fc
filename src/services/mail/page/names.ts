/** The API of the pages that people see: the mailbox, and the addresses of `webLink`. */
export const MAIL_PAGES = 'mail-pages';

export const MAIL_PATH = '/mail';
/** Below it lie the addresses of `webLink`. */
export const OWA_PATH = '/owa';
/** Below it lie the addresses of online meetings. */
export const MEET_PATH = '/meet';
