import { beforeEach, expect, it } from 'vitest';
import { onAnyStore } from '../../../support/jars.ts';
import { basic, exchange, PERSONAL_ACCESS_TOKEN, postForm, TOKEN } from '../oidc/support.ts';
import { patch, USERS } from '../scim/support.ts';
import { ACCOUNT } from '../sdk.ts';
import { type Ask, by, good, person, refusal, withoutRates } from '../support.ts';

const JOB = {
  name: 'hourly',
  tasks: [{ task_key: 'a', spark_jar_task: { main_class_name: 'A' } }],
  schedule: { quartz_cron_expression: '0 0 * * * ?', timezone_id: 'UTC' },
};

onAnyStore('data platform: somebody who is deactivated', (bench) => {
  let admin: Ask;
  beforeEach(async () => {
    await bench.jar.reset();
    await withoutRates(bench);
    admin = await person(bench);
  });

  const setActive = (path: string, value: boolean) =>
    good(patch(admin, path, { op: 'replace', path: 'active', value }), 204);
  const me = async (token: string) => refusal(await by(bench, token)('GET', '/preview/scim/v2/Me'));

  it('has no credential that works, in the account or in the workspace, until they are active again', async () => {
    const directory = await bench.jar.token({ user: 'licensed', ttl: '3650d' });
    const ask = by(bench, directory);
    const { id } = await good(ask('GET', '/preview/scim/v2/Me'));
    const { token_value } = await good(ask('POST', '/token/create', {}));
    const traded = (await postForm(bench, TOKEN, exchange(token_value, PERSONAL_ACCESS_TOKEN))).body.access_token;
    const tokens = [directory, token_value, traded];
    for (const path of [`/accounts/${ACCOUNT}/scim/v2/Users/${id}`, `${USERS}/${id}`]) {
      await setActive(path, false);
      for (const token of tokens) expect(await me(token)).toMatchObject({ status: 403, code: 403 });
      const again = await postForm(bench, TOKEN, exchange(token_value, PERSONAL_ACCESS_TOKEN));
      if (path.startsWith('/accounts')) expect(again.body).toMatchObject({ error: 'invalid_grant' });
      else expect(await me(again.body.access_token)).toMatchObject({ status: 403 });
      await setActive(path, true);
      for (const token of tokens) expect(await me(token)).toMatchObject({ status: 200 });
    }
  });

  it('gets no tokens for its secret', async () => {
    const robot = await good(admin('POST', '/preview/scim/v2/ServicePrincipals', { displayName: 'robot' }), 201);
    const path = `/accounts/${ACCOUNT}/servicePrincipals/${robot.id}/credentials/secrets`;
    const { secret } = await good(admin('POST', path, {}));
    const ask = () =>
      postForm(
        bench,
        TOKEN,
        { grant_type: 'client_credentials', scope: 'all-apis' },
        basic(robot.applicationId, secret),
      );
    const { access_token } = (await ask()).body;
    await setActive(`/accounts/${ACCOUNT}/scim/v2/ServicePrincipals/${robot.id}`, false);
    expect((await ask()).body).toMatchObject({ error: 'invalid_client' });
    expect(await me(access_token)).toMatchObject({ status: 403 });
    await good(admin('DELETE', `/accounts/${ACCOUNT}/scim/v2/ServicePrincipals/${robot.id}`), 204);
    expect((await ask()).body).toMatchObject({ error: 'invalid_client' });
    expect(await me(access_token)).toMatchObject({ status: 403 });
  });

  it('has jobs whose runs fail on schedule, and go on once they are active again', async () => {
    const ask = await person(bench, 'licensed');
    const { id } = await good(ask('GET', '/preview/scim/v2/Me'));
    const { job_id } = await good(ask('POST', '/api/2.2/jobs/create', JOB));
    await bench.jar.clock.advance('1h');
    await setActive(`${USERS}/${id}`, false);
    await bench.jar.clock.advance('1h');
    await setActive(`${USERS}/${id}`, true);
    await bench.jar.clock.advance('1h');
    await good(admin('DELETE', `${USERS}/${id}`), 204);
    await bench.jar.clock.advance('1h');
    const { runs } = await good(admin('GET', `/api/2.2/jobs/runs/list?job_id=${job_id}`));
    const codes = runs.map((run: { status: { termination_details: { code: string; message: string } } }) => {
      const { code, message } = run.status.termination_details;
      return [code, message];
    });
    expect(codes.toReversed()).toEqual([
      ['SUCCESS', expect.any(String)],
      ['UNAUTHORIZED_ERROR', 'The identity of the run has no access: licensed@vendor.example is deactivated.'],
      ['SUCCESS', expect.any(String)],
      ['UNAUTHORIZED_ERROR', expect.stringContaining('is not in the workspace')],
    ]);
    expect(runs[0].state).toMatchObject({ life_cycle_state: 'INTERNAL_ERROR', result_state: 'FAILED' });
  });
});
