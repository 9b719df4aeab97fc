/** A test keeps this equal to the version in package.json. */
export const VERSION = '0.2.0';
