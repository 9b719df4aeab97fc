// Sixteen clients of one process on a limit that several processes share; reports to the parent how many calls were accepted.
import { bucket, redisRates, TestRules } from './rows.ts';

const url = process.argv[2] as string;
const limit = bucket(500, 0, { name: 'test.shared' });
const connections = await Promise.all(Array.from({ length: 16 }, () => redisRates(url, new TestRules(), 'processes')));
const counts = await Promise.all(
  connections.map(async (rates) => {
    let accepted = 0;
    for (let n = 0; n < 20; n++)
      if ((await rates.take([{ limit, scope: ['all'] }], 1_800_000_000_000)).allowed) accepted++;
    return accepted;
  }),
);
process.send?.(counts.reduce((sum, each) => sum + each, 0));
await Promise.all(connections.map((rates) => rates.close()));
process.disconnect?.();
