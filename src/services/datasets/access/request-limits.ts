import type { RateLimit } from '../../../kernel/limits/index.ts';
import type { DatasetsCall } from '../jar.ts';
import type { Mistakes } from '../model/mistakes.ts';

type Asked = Pick<DatasetsCall, 'jar' | 'requestId'>;

/** Adds a mistake if the count exceeds a per-request limit. */
export async function checkRequestLimit(
  { jar, requestId }: Asked,
  limit: RateLimit,
  count: number,
  at: string,
  mistakes: Mistakes,
): Promise<void> {
  const decision = await jar.limits.take([{ limit, scope: [requestId], cost: count }]);
  decision.release?.();
  if (decision.allowed) return;
  const maximum = decision.readings[0]?.maximum;
  mistakes.add(at, `${limit.title}: ${count}, and at most ${maximum} are allowed. The limit is '${limit.name}'.`);
}
