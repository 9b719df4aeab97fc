/** Kept equal to the version in package.json by a test. */
export const VERSION = '0.2.0';
