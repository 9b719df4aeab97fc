import { expect, it } from 'vitest';
import { withJar } from '../../../support/jars.ts';
import { control, good, person } from '../support.ts';

withJar((bench) => {
  it('an operation has one series for all of its paths, and a limit has none before its first use', async () => {
    const ask = await person(bench);
    for (const path of ['/api/2.0/jobs/list', '/api/2.1/jobs/list', '/api/2.2/jobs/list', '//jobs/list'])
      await good(ask('GET', path));
    await control(bench, 'PATCH', 'limits', { name: 'platform.rate.jobs-list', size: 0 });
    expect((await ask('GET', '/api/2.2/jobs/list')).status).toBe(429);
    const { text } = await control(bench, 'GET', 'metrics');
    const lines = text.split('\n').filter((line) => /^cloudjar_(requests|limit)/.test(line));
    const of = (word: string) => lines.filter((line) => line.includes(word));
    expect(of('jobs_list')).toEqual([
      'cloudjar_requests_total{service="platform",operation="Platform_jobs_list",status="200"} 4',
      'cloudjar_requests_total{service="platform",operation="Platform_jobs_list",status="429"} 1',
    ]);
    expect(of('limit="platform.rate.jobs-list"')).toEqual([
      'cloudjar_limit_decisions_total{limit="platform.rate.jobs-list",outcome="allowed"} 4',
      'cloudjar_limit_decisions_total{limit="platform.rate.jobs-list",outcome="refused"} 1',
    ]);
    expect(of('limit="platform.rate.jobs-reset"')).toEqual([]);
  });
});
