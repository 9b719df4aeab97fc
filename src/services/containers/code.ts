/**
 * What the service needs once it is used, loaded as one: a bundle gets a file for every set of modules that is asked for by itself, and many
 * small files at the start cost more than they spare.
 */
export { restart, start, stopGroup } from './api/actions.ts';
export { attach } from './api/attach.ts';
export { exec } from './api/exec.ts';
export { forgetResource } from './api/forget-group.ts';
export { CONTAINER_GROUP } from './api/group.ts';
export { cachedImages, capabilities, usages } from './api/locations.ts';
export { logs } from './api/logs.ts';
export { deleteLink, operations, outboundDependencies } from './api/provider.ts';
export { forgetSession } from './api/sessions.ts';
export { admitStream, openStream } from './api/streams.ts';
export { syncGroup } from './runtime/sync-group.ts';
