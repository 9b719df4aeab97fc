import { pagesOf } from '../../../../../kernel/store/index.ts';
import type { PlatformJar } from '../../../jar.ts';
import { taskContainers } from '../../../jobs/running/container-collections.ts';
import { modelContainers } from '../../../serving/collections.ts';
import { contextContainers } from '../../collections.ts';

const PAGE = 200;

/** Removes containers of tasks, contexts and models that the jar no longer knows after a reset or a restored snapshot. */
export async function removeOrphans(jar: PlatformJar): Promise<void> {
  const { engine, store, log, closing } = jar;
  if (engine.name === 'simulated') return;
  try {
    // Read before the store: a container is recorded before it is created.
    const uids = await engine.uids();
    const known = new Set<string>();
    for await (const page of pagesOf(store, contextContainers, { page: PAGE }))
      for (const { value } of page) known.add(value.uid);
    for await (const page of pagesOf(store, taskContainers, { page: PAGE }))
      for (const { value } of page) known.add(value.uid);
    for await (const page of pagesOf(store, modelContainers, { page: PAGE }))
      for (const { value } of page) known.add(value.uid);
    for (const uid of uids) {
      if (known.has(uid) || closing.aborted) continue;
      log.info({ uid }, 'removing a container of a task, a context or a model that this jar does not know');
      await engine.remove(uid);
    }
  } catch (error) {
    if (!closing.aborted) log.warn({ err: error }, 'containers that are no longer known could not be removed');
  }
}
