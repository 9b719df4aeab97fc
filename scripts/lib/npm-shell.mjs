const LOOK_EVERY_MS = 250;

/**
 * Ends this process with the npm that runs its script. npm starts a script by a shell and passes its signals on to that; a shell that has not made way
 * for the program (dash has not) then ends alone, npm with it, and would leave the program behind. On Windows a process keeps the number of the parent
 * that it had, so nothing is seen there, and a console ends all of its processes anyway.
 */
export function endWithNpm() {
  if (process.env.npm_lifecycle_event === undefined) return;
  const shell = process.ppid;
  const looks = setInterval(() => {
    if (process.ppid === shell) return;
    clearInterval(looks);
    process.kill(process.pid, 'SIGTERM');
  }, LOOK_EVERY_MS).unref();
}
