import { afterAll, beforeEach, expect, it } from 'vitest';
import { onAnyStore } from '../../../support/jars.ts';
import { base64, withoutRates } from '../dbfs/support.ts';
import { ACCOUNT } from '../sdk.ts';
import { type Ask, good, person, refusal } from '../support.ts';
import { Repositories, serveGit } from './support.ts';

const repositories = new Repositories();
afterAll(() => repositories.remove());

const first = repositories.make('project', { 'etl/load.py': '# Databricks notebook source\nprint(1)', 'a.txt': 'a' });
repositories.git('project', 'branch', 'other');

const HOME = '/Repos/admin@vendor.example';

onAnyStore(
  'git credentials and fields of the newer API',
  (bench) => {
    let ask: Ask;
    beforeEach(async () => {
      await bench.jar.reset();
      await withoutRates(bench);
      ask = await person(bench);
    });

    const add = (more: object) => ask('POST', '/git-credentials', { git_provider: 'gitHub', ...more });
    const all = async (query = '') => {
      const { credentials } = await good(ask('GET', `/git-credentials${query}`));
      return credentials.map((each: { name?: string; is_default_for_provider: boolean }) => [
        each.name,
        each.is_default_for_provider,
      ]);
    };

    it('a second credential for a provider needs its own name; one of them is the default', async () => {
      const one = await good(add({ personal_access_token: 'one' }));
      expect(one).toMatchObject({ is_default_for_provider: true });
      expect(refusal(await add({}))).toMatchObject({
        status: 400,
        code: 'INVALID_STATE',
        message: expect.stringContaining('Only one Git credential is supported'),
      });
      await bench.jar.clock.advance('1s');
      const two = await good(add({ name: 'work', personal_access_token: 'two' }));
      expect(two).toMatchObject({ name: 'work', is_default_for_provider: false });
      expect(refusal(await add({ name: 'work' }))).toMatchObject({ code: 'INVALID_STATE' });
      await bench.jar.clock.advance('1s');
      await good(add({ git_provider: 'gitLab', name: 'work' }));
      await good(ask('PATCH', `/git-credentials/${two.credential_id}`, { is_default_for_provider: true }));
      expect(await all()).toEqual([
        [undefined, false],
        ['work', true],
        ['work', true],
      ]);
      await good(ask('DELETE', `/git-credentials/${two.credential_id}`));
      expect(await all()).toEqual([
        [undefined, true],
        ['work', true],
      ]);
      const rest = await Promise.all(Array.from({ length: 12 }, (_, i) => add({ name: `n${i}` })));
      expect(rest.filter(({ status }) => status === 200)).toHaveLength(8);
      expect(await all()).toHaveLength(10);
    });

    it('administrators and managers manage the credentials of service principals; nobody manages those of other users', async () => {
      const made = await good(ask('POST', '/preview/scim/v2/ServicePrincipals', { displayName: 'robot' }), 201);
      const principal_id = Number(made.id);
      const { credential_id } = await good(add({ principal_id, git_username: 'robot' }));
      expect(await all()).toEqual([]);
      expect(await all(`?principal_id=${principal_id}`)).toEqual([[undefined, true]]);
      const one = `/git-credentials/${credential_id}`;
      expect(refusal(await ask('GET', one))).toMatchObject({ status: 404 });
      await good(ask('PATCH', one, { principal_id, git_username: 'robot2' }));
      expect(await good(ask('GET', `${one}?principal_id=${principal_id}`))).toMatchObject({ git_username: 'robot2' });
      const licensed = await person(bench, 'licensed');
      expect(refusal(await licensed('GET', `/git-credentials?principal_id=${principal_id}`))).toMatchObject({
        status: 403,
        code: 'PERMISSION_DENIED',
      });
      const { id: user } = await good(licensed('GET', '/preview/scim/v2/Me'));
      expect(refusal(await ask('GET', `/git-credentials?principal_id=${user}`))).toMatchObject({ status: 404 });
      const name = `accounts/${ACCOUNT}/servicePrincipals/${made.applicationId}/ruleSets/default`;
      const rules = `/preview/accounts/${ACCOUNT}/access-control/rule-sets`;
      const { etag } = await good(ask('GET', `${rules}?name=${name}&etag=`));
      const manager = { role: 'roles/servicePrincipal.manager', principals: ['users/licensed@vendor.example'] };
      await good(ask('PUT', rules, { name, rule_set: { name, etag, grant_rules: [manager] } }));
      const seen = await good(licensed('GET', `/git-credentials?principal_id=${principal_id}`));
      expect(seen.credentials).toHaveLength(1);
      await good(ask('DELETE', `${one}?principal_id=${principal_id}`));
      expect(await all(`?principal_id=${principal_id}`)).toEqual([]);
    });

    it('a repository is read with the default credential, or with the one that the call names', async () => {
      const server = await serveGit(repositories.folder, 'ada:right');
      try {
        const clone = (more: object = {}) =>
          ask('POST', '/repos', { url: server.url('project'), provider: 'gitHub', path: `${HOME}/p`, ...more });
        await good(add({ git_username: 'ada', personal_access_token: 'wrong' }));
        const named = await good(add({ name: 'second', git_username: 'ada', personal_access_token: 'right' }));
        expect(refusal(await clone())).toMatchObject({ status: 400, code: 'GIT_REMOTE_ERROR' });
        expect(refusal(await clone({ git_credential_id: 1 }))).toMatchObject({ status: 404 });
        const { id } = await good(clone({ git_credential_id: named.credential_id }));
        expect(refusal(await ask('PATCH', `/repos/${id}`, { branch: 'other' }))).toMatchObject({
          code: 'GIT_REMOTE_ERROR',
        });
        await good(ask('PATCH', `/repos/${id}`, { branch: 'other', git_credential_id: named.credential_id }));
      } finally {
        await server.close();
      }
    });

    it('objects in a git folder name their repo, and a checkout discards changes on request', async () => {
      const { id } = await good(ask('POST', '/repos', { url: repositories.url('project'), provider: 'gitHub' }));
      const git_info = {
        id,
        path: `${HOME}/project`,
        url: repositories.url('project'),
        provider: 'gitHub',
        branch: 'main',
        head_commit_id: first,
      };
      for (const path of ['', '/etl', '/etl/load'])
        expect(
          await good(ask('GET', `/workspace/get-status?path=/Workspace${HOME}/project${path}&return_git_info=true`)),
        ).toMatchObject({ path: `/Workspace${HOME}/project${path}`, git_info });
      expect(await good(ask('GET', `/workspace/get-status?path=${HOME}&return_git_info=true`))).not.toHaveProperty(
        'git_info',
      );
      await good(
        ask('POST', '/workspace/import', { path: `${HOME}/project/x`, format: 'RAW', content: base64('mine') }),
      );
      await good(ask('POST', '/workspace/delete', { path: `${HOME}/project/a.txt` }));
      expect(refusal(await ask('PATCH', `/repos/${id}`, { branch: 'other' }))).toMatchObject({ code: 'GIT_CONFLICT' });
      await good(ask('PATCH', `/repos/${id}`, { branch: 'other', dangerously_force_discard_all: true }));
      const { objects } = await good(ask('GET', `/workspace/list?path=${HOME}/project`));
      expect(objects.map(({ path }: { path: string }) => path)).toEqual([
        `${HOME}/project/a.txt`,
        `${HOME}/project/etl`,
      ]);
      await good(ask('PATCH', `/repos/${id}`, { branch: 'main' }));
    });

    it('permissions on a git folder are inherited from its parent directories, as for everything in the tree', async () => {
      const { id } = await good(ask('POST', '/repos', { url: repositories.url('project'), provider: 'gitHub' }));
      const { access_control_list: acl } = await good(ask('GET', `/permissions/repos/${id}`));
      const admins = acl.find(({ group_name }: { group_name?: string }) => group_name === 'admins');
      expect(admins.all_permissions).toEqual([
        { permission_level: 'CAN_MANAGE', inherited: true, inherited_from_object: ['/directories/'] },
      ]);
    });

    it('a deleted parent directory of repos is recreated by the next clone', async () => {
      await good(ask('GET', '/workspace/list?path=/'));
      await good(ask('POST', '/workspace/delete', { path: HOME }));
      const made = await good(ask('POST', '/repos', { url: repositories.url('project'), provider: 'gitHub' }));
      expect(made).toMatchObject({ path: `${HOME}/project` });
    });
  },
  { settings: { platform: { gitFolders: [repositories.folder] } }, allowHttpLoopback: true },
);
