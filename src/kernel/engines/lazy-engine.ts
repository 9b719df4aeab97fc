import type { EngineName, GroupEngine } from './types.ts';

/** Opens an engine on its first call: most jars never run a group, and should not pay for the engine at start. */
export function lazyEngine(
  { name, description }: { readonly name: EngineName; readonly description: string },
  open: () => Promise<GroupEngine>,
): GroupEngine {
  let opening: Promise<GroupEngine> | undefined;
  const listeners = new Map<(uid: string) => void, { close(): void } | undefined>();
  const engine = (): Promise<GroupEngine> => {
    opening ??= open().then(async (opened) => {
      for (const listener of listeners.keys()) listeners.set(listener, await opened.watch(listener));
      return opened;
    });
    return opening;
  };
  return {
    name,
    description,
    sync: async (request) => (await engine()).sync(request),
    remove: async (uid) => (await engine()).remove(uid),
    uids: async () => (await engine()).uids(),
    logs: async (target, options) => (await engine()).logs(target, options),
    exec: async (target, options) => (await engine()).exec(target, options),
    attach: async (target) => (await engine()).attach(target),
    cachedImages: async () => (await engine()).cachedImages(),
    async watch(listener) {
      listeners.set(listener, opening && (await (await opening).watch(listener)));
      return {
        close() {
          listeners.get(listener)?.close();
          listeners.delete(listener);
        },
      };
    },
    async close() {
      await (await opening)?.close();
    },
  };
}
