// Preloaded into a jar (`node --import`): lets a test raise the errors that a bug in the program would.
process.on('SIGUSR2', () => void Promise.reject(new Error('a stray rejection')));
process.on('SIGWINCH', () => {
  throw new Error('a stray exception');
});
