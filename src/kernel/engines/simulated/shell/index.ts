/** For services that run a script in the simulated shell without a container around it. */
export { runOnce, type ShellOutcome, type ShellRequest } from './run-once.ts';
