/**
 * Node flags of a jar's process. V8 lets the space for new objects grow to a hundred megabytes in a program that allocates many, even if it
 * keeps few; a jar is as fast with a third of that. The space starts with four megabytes instead of one: most objects of a start are kept,
 * and collecting garbage during it took 4 % of its time (eight megabytes would use 2 MB more memory). `npm start` in package.json has the
 * same flags.
 */
export const NODE_FLAGS = ['--max-semi-space-size=16', '--min-semi-space-size=4'];
