import { errorTable } from '../../kernel/http/errors.ts';

/** Everything that is particular to container groups and can be refused. */
export const containerErrors = errorTable({
  ContainerGroupTransitioning: [
    409,
    "The container group '{name}' is still transitioning ({what}); try again when that is done.",
  ],
  ContainerNotFound: [404, "The container group '{group}' has no container '{container}'."],
  ContainerLogNotAvailable: [404, "The container '{container}' has not run yet, so that there is no log of it."],
  ContainerNotRunning: [409, "The container '{container}' is not running."],
});
