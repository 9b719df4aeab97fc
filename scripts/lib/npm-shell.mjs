const LOOK_EVERY_MS = 250;

/**
 * Ends this process when the npm that runs its script ends. npm starts a script with a shell and forwards its signals to the shell. A shell
 * that has not replaced itself by the program (dash does not) then ends alone, then npm ends, and the program would keep running. On
 * Windows the parent process id never changes, so this has no effect there; a console ends all of its processes anyway.
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
