import { afterAll, beforeEach, expect, it } from 'vitest';
import { onAnyStore } from '../../../../support/jars.ts';
import { Repositories } from '../../git/support.ts';
import { type Ask, good, person, refusal } from '../../support.ts';
import { after, createJob, getRun, JOBS, runNow, task, withoutRates } from '../support.ts';

const repositories = new Repositories();
afterAll(() => repositories.remove());

const notebook = (line: string) => `# Databricks notebook source\n# cloudjar: ${line}\nprint(1)`;
const first = repositories.make('etl', {
  'jobs/load.py': notebook('echo first load'),
  'jobs/run.sh': 'echo "run $1"\n',
  'jobs/lib.py': '# cloudjar: echo lib\n',
  'broken.ipynb': 'no json',
});
repositories.git('etl', 'tag', 'v1');
repositories.git('etl', 'checkout', '--quiet', '-b', 'dev');
const second = repositories.commit('etl', { 'jobs/load.py': notebook('echo second load') });
repositories.git('etl', 'checkout', '--quiet', 'main');

const SOURCE = { git_url: repositories.url('etl'), git_provider: 'gitHub' };
const LOAD = { task_key: 'load', notebook_task: { notebook_path: 'jobs/load' } };

onAnyStore(
  'data platform: jobs from a repository',
  (bench) => {
    let ask: Ask;

    beforeEach(async () => {
      await bench.jar.reset();
      await withoutRates(bench);
      ask = await person(bench);
    });

    const outputOf = (run_id: number) => good(ask('GET', `${JOBS}/runs/get-output?run_id=${run_id}`));

    const submit = async (git_source: object, tasks: readonly object[] = [LOAD]) =>
      (await good(ask('POST', `${JOBS}/runs/submit`, { git_source, tasks }))).run_id;

    it('tasks run the files of one commit, which the run names; a repair reads the repository again', async () => {
      const job_id = await createJob(ask, {
        git_source: { ...SOURCE, git_branch: 'main' },
        parameters: [{ name: 'what', default: 'lib' }],
        tasks: [
          LOAD,
          {
            task_key: 'run',
            ...after('load'),
            spark_python_task: { python_file: 'jobs/run.sh', source: 'GIT', parameters: ['now'] },
          },
          {
            task_key: 'each',
            ...after('load'),
            for_each_task: {
              inputs: '[1]',
              task: {
                task_key: 'i',
                spark_python_task: { python_file: './jobs/{{job.parameters.what}}.py', source: 'GIT' },
              },
            },
          },
          task('beside', 'true'),
        ],
      });
      expect((await good(ask('GET', `${JOBS}/get?job_id=${job_id}`))).settings.tasks[0].notebook_task.source).toBe(
        'GIT',
      );
      const run_id = await runNow(ask, job_id);
      await bench.jar.clock.advance('1m');
      const run = await getRun(ask, run_id);
      expect(run).toMatchObject({
        state: { result_state: 'SUCCESS' },
        git_source: { ...SOURCE, git_branch: 'main', git_snapshot: { used_commit: first } },
      });
      expect((await outputOf(run.tasks[0].run_id)).logs).toBe('first load\n');
      expect((await outputOf(run.tasks[1].run_id)).logs).toBe('run now\n');
      const [iteration] = (await getRun(ask, run.tasks[2].run_id)).iterations;
      expect((await outputOf(iteration.run_id)).logs).toBe('lib\n');
      await good(ask('POST', `${JOBS}/runs/repair`, { run_id, rerun_tasks: ['load'] }));
      await bench.jar.clock.advance('1m');
      expect((await getRun(ask, run_id)).state).toMatchObject({ result_state: 'SUCCESS' });
    });

    it.each<[string, object, string, string]>([
      ['a branch', { git_branch: 'dev' }, second, 'second load\n'],
      ['a tag', { git_tag: 'v1' }, first, 'first load\n'],
      ['a commit', { git_commit: second }, second, 'second load\n'],
      ['the beginning of a commit', { git_commit: second.slice(0, 10) }, second, 'second load\n'],
      ['nothing', {}, first, 'first load\n'],
    ])('%s says which commit is read', async (_what, wanted, commit, logs) => {
      const run_id = await submit({ ...SOURCE, ...wanted });
      await bench.jar.clock.advance('1m');
      expect((await getRun(ask, run_id)).git_source).toMatchObject({ git_snapshot: { used_commit: commit } });
      expect(await outputOf(run_id)).toMatchObject({ logs });
    });

    it.each<[string, object, object, RegExp]>([
      ['a branch that is not there', { git_branch: 'none' }, LOAD, /no branch 'none'/],
      ['a commit that is not there', { git_commit: 'a'.repeat(40) }, LOAD, /no commit 'a+'/],
      ['a folder that is not allowed', { git_url: 'file:///etc' }, LOAD, /may not be used/],
      [
        'a file that is not there',
        {},
        { task_key: 'load', notebook_task: { notebook_path: '../etc/passwd' } },
        /is not a notebook or file of the commit/,
      ],
    ])('%s fails the task', async (_what, wanted, of, message) => {
      const run_id = await submit({ ...SOURCE, ...wanted }, [of]);
      await bench.jar.clock.advance('1m');
      expect((await getRun(ask, run_id)).tasks[0]).toMatchObject({
        state: { life_cycle_state: 'INTERNAL_ERROR', state_message: expect.stringMatching(message) },
        status: { termination_details: { code: 'REPOSITORY_CHECKOUT_FAILED', type: 'CLIENT_ERROR' } },
      });
    });

    it('a run that is cancelled before its repository was read ends', async () => {
      const run_id = await submit(SOURCE);
      await good(ask('POST', `${JOBS}/runs/cancel`, { run_id }));
      await bench.jar.clock.advance('1m');
      expect((await getRun(ask, run_id)).state).toMatchObject({ result_state: 'CANCELED' });
    });

    it('a task from a repository needs one', async () => {
      const tasks = [{ task_key: 'a', notebook_task: { notebook_path: 'x', source: 'GIT' } }];
      expect(refusal(await ask('POST', `${JOBS}/create`, { tasks }))).toMatchObject({
        status: 400,
        code: 'INVALID_PARAMETER_VALUE',
        message: 'Task a has the source GIT, but there is no git_source.',
      });
    });
  },
  { settings: { platform: { gitFolders: [repositories.folder] } } },
);
