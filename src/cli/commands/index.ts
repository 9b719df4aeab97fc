/** All commands, in one chunk that is loaded when a command runs. */

export * as clock from './clock.ts';
export * as completion from './completion.ts';
export * as datasets from './datasets.ts';
export * as deliveries from './deliveries.ts';
export * as detect from './detect.ts';
export * as doctor from './doctor.ts';
export * as faults from './faults.ts';
export * as keys from './keys.ts';
export * as limits from './limits.ts';
export * as logs from './logs.ts';
export * as mail from './mail.ts';
export * as open from './open.ts';
export * as platform from './platform.ts';
export * as request from './request.ts';
export * as reset from './reset.ts';
export * as snapshot from './snapshot.ts';
export * as start from './start.ts';
export * as status from './status.ts';
export * as stop from './stop.ts';
export * as tail from './tail.ts';
export * as token from './token.ts';
