import { execFileSync } from 'node:child_process';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeEach, expect, it, onTestFinished } from 'vitest';
import { onAnyStore } from '../../../support/jars.ts';
import { Repositories, serveGit } from '../git/support.ts';
import { createJob, getRun, JOBS, runNow, withoutRates } from '../jobs/support.ts';
import { type Ask, control, good, person, refusal } from '../support.ts';

/** Repositories, addresses and names of branches that mean harm. */

const repositories = new Repositories();
afterAll(() => repositories.remove());
repositories.make('plain', { 'a.py': '# cloudjar: echo a\n' });
repositories.make('bomb', {});

const plumbing = (input: string, ...args: readonly string[]): string =>
  execFileSync('git', ['-C', join(repositories.folder, 'bomb'), ...args], { input, encoding: 'utf8' }).trim();

/** A commit of nine levels of directories, each with ten names for the one below: a billion paths. */
function bombOf(branch: string, inner: string): void {
  let tree = inner;
  for (let level = 0; level < 9; level++) {
    const lines = Array.from({ length: 10 }, (_, n) => `040000 tree ${tree}\td${n}\n`);
    tree = plumbing(lines.join(''), 'mktree');
  }
  const commit = repositories.git('bomb', 'commit-tree', '-m', branch, tree);
  repositories.git('bomb', 'branch', branch, commit);
}
bombOf('hollow', plumbing('', 'mktree'));
bombOf('full', plumbing(`100644 blob ${plumbing('x', 'hash-object', '-w', '--stdin')}\tf\n`, 'mktree'));

const TASK = { task_key: 'a', spark_python_task: { python_file: 'a.py', source: 'GIT' } };

onAnyStore(
  'hostile repositories',
  (bench) => {
    let ask: Ask;
    beforeEach(async () => {
      await bench.jar.reset();
      await withoutRates(bench);
      ask = await person(bench);
    });

    const clone = (url: string) =>
      ask('POST', '/repos', { url, provider: 'gitHub', path: '/Repos/admin@vendor.example/x' });
    async function messageOf(git_source: object): Promise<string> {
      const given = { git_url: repositories.url('plain'), git_provider: 'gitHub', ...git_source };
      const { run_id } = await good(ask('POST', `${JOBS}/runs/submit`, { git_source: given, tasks: [TASK] }));
      await bench.jar.clock.advance('2m');
      const run = await getRun(ask, run_id);
      expect(run.state).toMatchObject({ result_state: 'FAILED' });
      return JSON.stringify(run);
    }

    it.each<object>([
      { git_branch: '../../../../../../../../dev/zero' },
      { git_branch: '../config' },
      { git_tag: '../../HEAD' },
      { git_branch: '--upload-pack=touch /tmp/x' },
      { git_branch: '-x' },
      { git_branch: 'a\nb' },
      { git_commit: '../../../../etc' },
      { git_commit: 'HEAD' },
      { git_commit: '' },
    ])('no file but a branch, a tag or a commit is what %j names', async (wanted) => {
      expect(await messageOf(wanted)).toMatch(/has no (?:branch|tag|commit)/);
    });

    it('folders elsewhere, other schemes and this jar are no repositories, and what another server says is not repeated', async () => {
      const server = createServer((_request, response) => response.end('the password is tomato'));
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
      onTestFinished(() => void server.close());
      const { port } = server.address() as AddressInfo;
      for (const url of [
        'file:///etc',
        `${repositories.url('plain')}/../../..`,
        'ssh://127.0.0.1/x',
        'git://127.0.0.1/x',
        'ext::sh -c touch% /tmp/x',
        'http://169.254.169.254/latest/meta-data',
        'http://[fd00:ec2::254]/x',
        bench.jar.url,
        `http://127.0.0.1:${port}/x`,
      ]) {
        const refused = refusal(await clone(url));
        expect(JSON.stringify(refused), url).toMatch(/GIT_URL_NOT_ON_ALLOW_LIST|GIT_REMOTE_ERROR/);
        expect(JSON.stringify(refused), url).not.toContain('tomato');
        expect(await messageOf({ git_url: url }), url).not.toContain('tomato');
      }
    });

    it('an address with a password is refused before anybody reads it', async () => {
      const url = 'https://ada:tomato@git.vendor.example/x';
      const sent = { git_source: { git_url: url, git_provider: 'gitHub' }, tasks: [TASK] };
      for (const [method, path, body] of [
        ['POST', '/repos', { url, provider: 'gitHub' }],
        ['POST', `${JOBS}/runs/submit`, sent],
        ['POST', `${JOBS}/create`, sent],
      ] as const)
        expect(JSON.stringify(refusal(await ask(method, path, body)))).not.toContain('tomato');
    });

    it('directories that contain each other many times are walked once, and files that do are counted', async () => {
      await good(control(bench, 'PATCH', 'limits', [{ name: 'platform.repo-files', limit: 200 }]));
      const served = await serveGit(repositories.folder);
      onTestFinished(served.close);
      for (const url of [repositories.url('bomb'), served.url('bomb')]) {
        const { id } = await good(clone(url));
        await good(ask('PATCH', `/repos/${id}`, { branch: 'hollow' }));
        expect(JSON.stringify(refusal(await ask('PATCH', `/repos/${id}`, { branch: 'full' })))).toContain('LIMIT');
        await good(ask('DELETE', `/repos/${id}`));
      }
    });

    it('a run reads with the credential of whom it runs as, which nobody reads', async () => {
      const served = await serveGit(repositories.folder, 'ada:tomato');
      onTestFinished(served.close);
      const other = await person(bench, 'other');
      await good(
        ask('POST', '/git-credentials', {
          git_provider: 'gitHub',
          git_username: 'ada',
          personal_access_token: 'tomato',
        }),
      );
      const source = { git_url: served.url('plain'), git_provider: 'gitHub' };
      const job_id = await createJob(ask, { git_source: source, tasks: [TASK] });
      const run_id = await runNow(ask, job_id);
      await bench.jar.clock.advance('2m');
      const run = await getRun(ask, run_id);
      expect(run.state, JSON.stringify(run)).toMatchObject({ result_state: 'SUCCESS' });
      expect(JSON.stringify(run)).not.toContain('tomato');
      const sent = { git_source: source, tasks: [TASK] };
      const { run_id: foreign } = await good(other('POST', `${JOBS}/runs/submit`, sent));
      await bench.jar.clock.advance('2m');
      expect((await getRun(other, foreign)).state).toMatchObject({ result_state: 'FAILED' });
    });
  },
  { allowHttpLoopback: true, settings: { platform: { gitFolders: [repositories.folder] } } },
);
