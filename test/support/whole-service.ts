import type { ResourceType } from '../../src/kernel/arm/providers.ts';
import type { OnDelete } from '../../src/kernel/arm/resource-hooks.ts';
import type { DeliveryPolicy } from '../../src/kernel/delivery/index.ts';
import type { FollowChanges, FollowerHead } from '../../src/kernel/feed/index.ts';
import type { Route } from '../../src/kernel/http/route.ts';
import type { SocketRoute } from '../../src/kernel/http/socket-route.ts';
import type { Jar } from '../../src/kernel/service/jar.ts';
import type { Announcement, OpenService, Service } from '../../src/kernel/service/service.ts';
import type { Json, WorkItem } from '../../src/kernel/store/types.ts';
import { defineWork, workHandler } from '../../src/kernel/work/kind.ts';

/** A service as one object, for small services of tests. */
export interface WholeService
  extends Omit<Service, 'open' | 'work' | 'policies' | 'follows' | 'claims' | 'sockets' | 'resourceTypes' | 'hasKey'> {
  readonly routes: readonly Route[];
  readonly claims?: readonly string[];
  readonly control?: readonly Route[];
  readonly sockets?: readonly SocketRoute[];
  readonly work?: Readonly<Record<string, PlainWork>>;
  readonly deliveries?: readonly DeliveryPolicy[];
  readonly follows?: readonly WholeFollower[];
  readonly resourceTypes?: readonly (ResourceType & { onDelete?: OnDelete })[];
  key?(jar: Jar): Promise<string | undefined>;
  open?(jar: Jar): Promise<OpenPart>;
}

export interface WholeFollower extends FollowerHead {
  follow: FollowChanges;
}

interface OpenPart {
  readonly announce?: Announcement;
  stateReplaced?(): Promise<void> | void;
  close?(): Promise<void> | void;
}

export interface PlainWork {
  readonly concurrency?: number;
  readonly maxAttempts?: number;
  run(item: WorkItem, jar: Jar, halt: AbortSignal): Promise<void>;
}

/** The manifest and the `open` of such a service. Its claims are derived from its routes. */
export function wholeService(whole: WholeService): Service {
  const { routes, control, sockets, work = {}, deliveries = [], follows = [], key, open, ...manifest } = whole;
  const kinds = Object.entries(work).map(([kind, { concurrency, maxAttempts }]) =>
    defineWork<Json & object>(kind, { concurrency, maxAttempts }),
  );
  return {
    ...manifest,
    claims: [...(manifest.claims ?? []), ...routes.map(({ path }) => claimOf(path))],
    sockets: (sockets ?? []).map(({ path, operation, summary }) => ({ path, operation, summary })),
    work: kinds,
    policies: deliveries.map(({ name }) => name),
    follows,
    hasKey: key !== undefined,
    eager: manifest.eager ?? open !== undefined,
    async open(jar): Promise<OpenService> {
      const part = await open?.(jar);
      return {
        routes,
        ...(control && { control }),
        ...(sockets && { sockets }),
        work: kinds.map((kind) =>
          workHandler(kind, (item, context: Jar, halt) => work[kind.kind]!.run(item, context, halt)),
        ),
        policies: deliveries,
        followers: Object.fromEntries(follows.map((each) => [each.name, each.follow.bind(each)])),
        onDelete: Object.fromEntries(
          (whole.resourceTypes ?? []).flatMap((type) => (type.onDelete ? [[type.type, type.onDelete]] : [])),
        ),
        ...(key && { key: () => key(jar) }),
        ...part,
      };
    },
  };
}

/** The part of a path template that the router can match before it knows the route. */
function claimOf(path: string): string {
  const provider = /\/providers\/Vendor\.[^/{]+/i.exec(path);
  if (provider) return provider[0];
  return path.split(/\/\{\w+\*\}|\(/)[0] as string;
}
