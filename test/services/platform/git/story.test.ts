import { afterAll, beforeEach, expect, it } from 'vitest';
import { blobPieces } from '../../../../src/services/platform/blobs/collections.ts';
import { treeNodes } from '../../../../src/services/platform/tree/collections.ts';
import { SERVICES } from '../../../../src/services.ts';
import { eventually } from '../../../support/eventually.ts';
import { JarProbe } from '../../../support/jar-probe.ts';
import { onBothStores } from '../../../support/jars.ts';
import { base64, sdk, withoutRates } from '../dbfs/support.ts';
import { type Ask, control, good, person, refusal } from '../support.ts';
import { Repositories, serveGit } from './support.ts';

const repositories = new Repositories();
afterAll(() => repositories.remove());

const NOTEBOOK = '# Databricks notebook source\nprint(1)';
const FILES = {
  'README.md': '# A project\n',
  'etl/load.py': NOTEBOOK,
  'etl/helper.py': 'def f(): pass\n',
  'etl/sql/q.sql': '-- Databricks notebook source\nSELECT 1',
  'data/a.csv': 'a,b\n',
};
const first = repositories.make('project', FILES);
repositories.git('project', 'tag', '--annotate', 'v1', '--message', 'the first');
repositories.git('project', 'checkout', '--quiet', '-b', 'other');
const other = repositories.commit('project', { 'etl/load.py': `${NOTEBOOK}\n\nmore` });
repositories.git('project', 'rm', '--quiet', 'data/a.csv');
const last = repositories.commit('project', { 'new.txt': 'new' });
repositories.git('project', 'checkout', '--quiet', 'main');

/** `/Users`, `/Shared`, `/Repos`, and two directories of the caller. */
const HOMES = 5;
const probe = new JarProbe();
const HOME = '/Repos/admin@vendor.example';

onBothStores(
  'git folders of a workspace',
  (bench) => {
    let ask: Ask;
    beforeEach(async () => {
      await bench.jar.reset();
      await withoutRates(bench);
      ask = await person(bench);
    });

    const left = async () => [await probe.jar.store.count(treeNodes), await probe.jar.store.count(blobPieces)];
    const listed = async (path: string) =>
      ((await good(ask('GET', `/workspace/list?path=${path}`))).objects ?? []).map(
        ({ path: at, object_type }: { path: string; object_type: string }) => [at.slice(HOME.length + 1), object_type],
      );
    const clone = (more: object = {}) =>
      ask('POST', '/repos', { url: repositories.url('project'), provider: 'github', ...more });
    const textAt = async (path: string) =>
      Buffer.from((await good(ask('GET', `/workspace/export?path=${path}`))).content, 'base64').toString();

    it('with the published client: credentials and repos', async () => {
      const { gitCredentials, repos, workspace } = await sdk(bench);
      const made = await gitCredentials.create({
        git_provider: 'GITHUB',
        git_username: 'ada',
        personal_access_token: 'secret-of-ada',
      });
      expect(made).toMatchObject({ git_provider: 'gitHub', git_username: 'ada' });
      await expect(gitCredentials.create({ git_provider: 'gitHub' })).rejects.toThrow(
        /Only one Git credential is supported/,
      );
      const all = [];
      for await (const credential of gitCredentials.list()) all.push(credential);
      expect(all).toHaveLength(1);
      expect(JSON.stringify(all)).not.toContain('secret-of-ada');

      const repo = await repos.create({ url: repositories.url('project'), provider: 'gitHub' });
      expect(repo).toMatchObject({ path: `${HOME}/project`, branch: 'main', head_commit_id: first });
      const found = [];
      for await (const { path, object_type } of workspace.list({ path: `${HOME}/project/etl` }))
        found.push([path, object_type]);
      expect(found).toEqual([
        [`${HOME}/project/etl/helper.py`, 'FILE'],
        [`${HOME}/project/etl/load`, 'NOTEBOOK'],
        [`${HOME}/project/etl/sql`, 'DIRECTORY'],
      ]);
      expect(await workspace.getStatus({ path: `${HOME}/project` })).toMatchObject({
        object_type: 'REPO',
        object_id: repo.id,
      });
      expect(await repos.get({ repo_id: repo.id as number })).toMatchObject({ url: repositories.url('project') });
      const names = [];
      for await (const { path } of repos.list({ path_prefix: '/Repos' })) names.push(path);
      expect(names).toEqual([`${HOME}/project`]);
      await repos.delete({ repo_id: repo.id as number });
      await expect(repos.get({ repo_id: repo.id as number })).rejects.toThrow(/does not exist/);
      await gitCredentials.delete({ credential_id: made.credential_id as number });
    });

    it('a branch, a tag and the newest commit are checked out; notebooks that stay keep their ids', async () => {
      const { id } = await good(clone());
      const load = `${HOME}/project/etl/load`;
      const before = await good(ask('GET', `/workspace/get-status?path=${load}`));
      await good(ask('POST', `/platform/notebooks/${before.object_id}/comments`, { text: 'stays' }));
      await good(ask('PATCH', `/repos/${id}`, { branch: 'other' }));
      expect(await good(ask('GET', `/repos/${id}`))).toMatchObject({ branch: 'other', head_commit_id: last });
      expect(await listed(`${HOME}/project`)).toEqual([
        ['project/README.md', 'FILE'],
        ['project/etl', 'DIRECTORY'],
        ['project/new.txt', 'FILE'],
      ]);
      expect(await textAt(load)).toBe(`${NOTEBOOK}\n\nmore`);
      expect(await good(ask('GET', `/workspace/get-status?path=${load}`))).toMatchObject({
        object_id: before.object_id,
      });
      await bench.jar.clock.advance('2h');
      const comments = await good(ask('GET', `/platform/notebooks/${before.object_id}/comments`));
      expect(comments.comments).toHaveLength(1);
      await good(ask('PATCH', `/repos/${id}`, { tag: 'v1' }));
      const tagged = await good(ask('GET', `/repos/${id}`));
      expect(tagged).toMatchObject({ head_commit_id: first });
      expect(tagged).not.toHaveProperty('branch');
      expect(await textAt(load)).toBe(NOTEBOOK);
      await good(ask('PATCH', `/repos/${id}`, { branch: 'main' }));
      expect(refusal(await ask('PATCH', `/repos/${id}`, { branch: 'none' }))).toMatchObject({
        code: 'GIT_UNKNOWN_REF',
      });
      expect(await good(ask('GET', `/repos/${id}`))).toMatchObject({ branch: 'main', head_commit_id: first });
    });

    it('a change made here is never lost by a checkout', async () => {
      const { id } = await good(clone());
      const path = `${HOME}/project/mine.txt`;
      await good(ask('POST', '/workspace/import', { path, format: 'RAW', content: base64('mine') }));
      expect(refusal(await ask('PATCH', `/repos/${id}`, { branch: 'other' }))).toMatchObject({
        status: 409,
        code: 'GIT_CONFLICT',
        message: expect.stringContaining('/mine.txt'),
      });
      await good(ask('POST', '/workspace/delete', { path }));
      await good(ask('PATCH', `/repos/${id}`, { branch: 'other' }));
      await good(ask('POST', '/workspace/delete', { path: `${HOME}/project/new.txt` }));
      expect(refusal(await ask('PATCH', `/repos/${id}`, { branch: 'main' }))).toMatchObject({ code: 'GIT_CONFLICT' });
    });

    it('a write during a checkout stays in the repo, or the checkout is refused', async () => {
      const { id } = await good(clone());
      for (const branch of ['other', 'main', 'other']) {
        const path = `${HOME}/project/${branch}.txt`;
        const [checkout, write] = await Promise.all([
          ask('PATCH', `/repos/${id}`, { branch }),
          ask('POST', '/workspace/import', { path, format: 'RAW', content: base64('mine') }),
        ]);
        expect(write.status, write.text).toBe(200);
        expect([200, 409]).toContain(checkout.status);
        expect(await textAt(path)).toBe('mine');
        await good(ask('POST', '/workspace/delete', { path }));
        await good(ask('PATCH', `/repos/${id}`, { branch }));
      }
    });

    it('a sparse checkout has its directories, and the files in their parent directories', async () => {
      const { id, sparse_checkout } = await good(clone({ sparse_checkout: { patterns: ['etl/sql'] } }));
      expect(sparse_checkout).toEqual({ patterns: ['etl/sql'] });
      expect(await listed(`${HOME}/project`)).toEqual([
        ['project/README.md', 'FILE'],
        ['project/etl', 'DIRECTORY'],
      ]);
      expect(await listed(`${HOME}/project/etl`)).toHaveLength(3);
      await good(ask('PATCH', `/repos/${id}`, { branch: 'main', sparse_checkout: { patterns: ['data'] } }));
      expect(await listed(`${HOME}/project`)).toEqual([
        ['project/README.md', 'FILE'],
        ['project/data', 'DIRECTORY'],
      ]);
      const whole = await good(clone({ path: `${HOME}/whole` }));
      expect(refusal(await ask('PATCH', `/repos/${whole.id}`, { sparse_checkout: { patterns: [] } }))).toMatchObject({
        code: 'INVALID_PARAMETER_VALUE',
      });
    });

    it('over HTTP with a credential, and at the bare path', async () => {
      const server = await serveGit(repositories.folder, 'ada:secret');
      try {
        const body = { url: server.url('project'), provider: 'gitLab', path: `${HOME}/web` };
        const refused = await ask('POST', '//repos', body);
        expect(refusal(refused)).toMatchObject({ status: 400, code: 'GIT_REMOTE_ERROR' });
        await good(
          ask('POST', '//git-credentials', {
            git_provider: 'gitlab',
            git_username: 'ada',
            personal_access_token: 'wrong',
          }),
        );
        const { credentials } = await good(ask('GET', '//git-credentials'));
        expect(refusal(await ask('POST', '/repos', body))).toMatchObject({ code: 'GIT_REMOTE_ERROR' });
        const one = `/git-credentials/${credentials[0].credential_id}`;
        await good(ask('PATCH', one, { personal_access_token: 'secret' }));
        const { id, branch, head_commit_id } = await good(ask('POST', '/repos', body));
        expect({ branch, head_commit_id }).toEqual({ branch: 'main', head_commit_id: first });
        expect(await listed(`${HOME}/web/etl`)).toHaveLength(3);
        await good(ask('PATCH', `//repos/${id}`, { tag: 'v1' }));
        expect(await good(ask('GET', `//repos/${id}`))).toMatchObject({ head_commit_id: first });
        await good(ask('PATCH', `//repos/${id}`, { branch: 'other' }));
        expect(await good(ask('GET', `//repos/${id}`))).toMatchObject({ head_commit_id: last });
        expect(other).not.toBe(last);
        await good(ask('DELETE', `//repos/${id}`));
        await good(ask('DELETE', one));
      } finally {
        await server.close();
      }
    });

    it.each([
      ['repo-size', 20],
      ['repo-notebooks', 1],
      ['repo-files', 4],
    ] as const)('the limit %s refuses a clone and leaves nothing', async (name, limit) => {
      await control(bench, 'PATCH', 'limits', { name: `platform.${name}`, limit });
      const refused = await clone();
      expect(refusal(refused)).toMatchObject({ status: 400, code: 'RESOURCE_LIMIT_EXCEEDED' });
      expect(refused.body.details[0].metadata).toMatchObject({ limit: `platform.${name}`, value: String(limit) });
      expect(await listed(HOME)).toEqual([]);
      await eventually(async () => expect(await left()).toEqual([HOMES, 0]));
      const exact = { 'repo-size': 110, 'repo-notebooks': 2, 'repo-files': 5 }[name];
      await control(bench, 'PATCH', 'limits', { name: `platform.${name}`, limit: exact });
      const { id } = await good(clone());
      await good(ask('PATCH', `/repos/${id}`, { tag: 'v1' }));
      // Five files and three directories, and the repo itself.
      await eventually(async () => expect(await left()).toEqual([HOMES + 9, 5]));
      await good(ask('DELETE', `/repos/${id}`));
      await eventually(async () => expect(await left()).toEqual([HOMES, 0]));
    });

    it('repos and credentials of other users are not accessible', async () => {
      const licensed = await person(bench, 'licensed');
      const { id } = await good(clone());
      const { credential_id } = await good(ask('POST', '/git-credentials', { git_provider: 'gitHub' }));
      expect(refusal(await licensed('GET', `/repos/${id}`))).toMatchObject({ status: 403 });
      expect(await good(licensed('GET', '/repos'))).toEqual({ repos: [] });
      expect(await good(licensed('GET', '/git-credentials'))).toEqual({ credentials: [] });
      expect(refusal(await licensed('GET', `/git-credentials/${credential_id}`))).toMatchObject({ status: 404 });
      await good(licensed('POST', '/git-credentials', { git_provider: 'gitHub' }));
      const foreign = await person(bench, 'other');
      expect(refusal(await foreign('GET', `/repos/${id}`))).toMatchObject({ status: 404 });
      const shared = await good(clone({ path: '/Shared/project' }));
      expect((await good(licensed('GET', '/repos'))).repos).toHaveLength(1);
      expect(await good(licensed('GET', `/repos/${shared.id}`))).toMatchObject({ path: '/Shared/project' });
    });

    it.each([
      ['a folder elsewhere', { url: 'file:///etc' }, 'GIT_URL_NOT_ON_ALLOW_LIST'],
      [
        'a way out of the folder',
        { url: `${repositories.url('project')}/../..`, path: `${HOME}/x` },
        'GIT_URL_NOT_ON_ALLOW_LIST',
      ],
      ['another machine', { url: 'file://server/share' }, 'GIT_URL_NOT_ON_ALLOW_LIST'],
      ['another protocol', { url: 'ssh://git@host/x' }, 'GIT_URL_NOT_ON_ALLOW_LIST'],
      ['a metadata service', { url: 'http://169.254.169.254/x' }, 'GIT_URL_NOT_ON_ALLOW_LIST'],
      ['a credential in the address', { url: 'https://ada:secret@host/x' }, 'GIT_SENSITIVE_TOKEN_DETECTED'],
      ['no repository', { url: `${repositories.url('project')}/etl` }, 'GIT_UNKNOWN_REF'],
      ['no address', { url: 'x' }, 'GIT_URL_NOT_ON_ALLOW_LIST'],
      ['an unknown provider', { provider: 'svn' }, 'INVALID_PARAMETER_VALUE'],
      ['a path that is too short', { path: '/Repos/x' }, 'INVALID_PARAMETER_VALUE'],
      ['a path into nothing', { path: '/Repos/nobody/x' }, 'RESOURCE_DOES_NOT_EXIST'],
      ['patterns of another mode', { sparse_checkout: { patterns: ['*.py'] } }, 'INVALID_PARAMETER_VALUE'],
      ['patterns that are none', { sparse_checkout: { patterns: [1] } }, 'MALFORMED_REQUEST'],
    ])('refused: %s', async (_title, more, code) => {
      expect(refusal(await clone(more))).toMatchObject({ code });
      expect((await good(ask('GET', '/repos'))).repos).toEqual([]);
    });

    it('of concurrent clones to one path one succeeds, and the files of the others are removed', async () => {
      const replies = await Promise.all(Array.from({ length: 4 }, () => clone()));
      const texts = replies.map(({ text }) => text).join();
      expect(replies.map(({ status }) => status).toSorted(), texts).toEqual([200, 400, 400, 400]);
      expect(await listed(`${HOME}/project`)).toHaveLength(3);
      expect(refusal(await clone({ path: `${HOME}/project/etl/inner` }))).toMatchObject({ status: 400 });
    });
  },
  {
    services: [...SERVICES, probe.service],
    settings: { platform: { gitFolders: [repositories.folder] } },
    allowHttpLoopback: true,
  },
);
