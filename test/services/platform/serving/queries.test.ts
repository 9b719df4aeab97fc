import { beforeEach, describe, expect, it } from 'vitest';
import { onAnyStore } from '../../../support/jars.ts';
import { type Ask, good, person, REAL_TIMES, refusal } from '../support.ts';
import { entity, Model, makeModels, newEndpoint, PATH, query } from './support.ts';

const external = (task: string, rest: object = {}) => ({
  served_entities: [
    {
      name: 'llm',
      external_model: {
        provider: 'openai',
        name: 'gpt',
        task,
        openai_config: { openai_api_key_plaintext: 'k' },
        ...rest,
      },
    },
  ],
});

onAnyStore(
  'data platform: queries of serving endpoints',
  (bench) => {
    let ask: Ask;

    beforeEach(async () => {
      await bench.jar.reset();
      ask = await person(bench);
      await makeModels(ask);
    });

    describe('predictions', () => {
      beforeEach(() => newEndpoint(bench, ask, 'e', { served_entities: [entity('a')] }));

      it.each([
        [
          {
            dataframe_split: {
              columns: ['x', 'y'],
              data: [
                [1, 2],
                [3, 4],
              ],
            },
          },
          [
            { x: 1, y: 2 },
            { x: 3, y: 4 },
          ],
        ],
        [{ dataframe_split: { index: [0], data: [[1, 2]] } }, [[1, 2]]],
        [{ dataframe_records: [{ x: 1 }, { x: 2 }, { x: 3 }] }, [{ x: 1 }, { x: 2 }, { x: 3 }]],
        [{ instances: [1, [2], { x: 3 }] }, [1, [2], { x: 3 }]],
        [{ inputs: [1, 2] }, [1, 2]],
        [
          { inputs: { x: [1, 2], y: [3, 4] } },
          [
            { x: 1, y: 3 },
            { x: 2, y: 4 },
          ],
        ],
        [{ inputs: { x: 1 } }, [{ x: 1 }]],
        [{ inputs: 'text' }, ['text']],
        [{ instances: [], client_request_id: 'c', usage_context: { a: 'b' } }, []],
      ])('%j gives as many as it has rows', async (body, predictions) => {
        const reply = await query(ask, 'e', body);
        expect(reply.body).toEqual({ predictions });
        expect(reply.headers.get('served-model-name')).toBe('a');
      });

      it.each([
        [{}, 'exactly one'],
        [{ instances: [1], inputs: [1] }, 'exactly one'],
        [{ instances: 5 }, "'instances' must be an array"],
        [{ dataframe_records: [1] }, 'array of objects'],
        [{ dataframe_split: [] }, 'must be an object'],
        [{ dataframe_split: { columns: ['x'] } }, 'dataframe_split.data'],
        [{ dataframe_split: { columns: ['x'], data: [[1, 2]] } }, '1 columns passed'],
        [{ dataframe_split: { columns: ['x'], index: [1, 2], data: [[1]] } }, 'as many items'],
        [{ inputs: { x: [1], y: [1, 2] } }, 'same length'],
      ])('%j is refused', async (body, message) => {
        const reply = await query(ask, 'e', body);
        expect(reply.status).toBe(400);
        expect(reply.body.message).toContain(message);
      });

      it('a long name of a column is not repeated for very many rows', async () => {
        const data = Array.from({ length: 100_000 }, () => [1]);
        const columns = ['x'.repeat(10_000)];
        expect((await query(ask, 'e', { dataframe_split: { columns, data } })).status).toBe(400);
        const inputs = { [columns[0] as string]: data };
        expect((await query(ask, 'e', { inputs })).status).toBe(400);
      });

      it('invalid JSON is refused as everywhere', async () => {
        expect(refusal(await query(ask, 'e', '{'))).toMatchObject({ status: 400, code: 'MALFORMED_REQUEST' });
      });

      it('a variable of the entity sets the prediction, as JSON or text', async () => {
        const named = (name: string, said: string) => entity(name, { environment_vars: { CLOUDJAR_PREDICTION: said } });
        await newEndpoint(bench, ask, 'said', { served_entities: [named('json', '{"p":0.7}'), named('text', 'yes')] });
        const of = async (name: string) =>
          (await good(ask('POST', `/${PATH}/said/served-models/${name}/invocations`, { instances: [1, 2] })))
            .predictions;
        expect(await of('json')).toEqual([{ p: 0.7 }, { p: 0.7 }]);
        expect(await of('text')).toEqual(['yes', 'yes']);
        const none = await ask('POST', `/${PATH}/said/served-models/none/invocations`, { instances: [1] });
        expect(none.status).toBe(404);
      });

      it('the endpoint answers below /api as well, and says so while it is not ready', async () => {
        expect((await ask('POST', `${PATH}/e/invocations`, { instances: [1] })).body).toEqual({ predictions: [1] });
        await good(ask('POST', PATH, { name: 'new', config: { served_entities: [entity('a')] } }));
        expect(refusal(await query(ask, 'new', { instances: [1] }))).toEqual({
          status: 404,
          code: 'RESOURCE_DOES_NOT_EXIST',
          message: expect.stringContaining('not ready'),
        });
        expect((await query(ask, 'none', { instances: [1] })).status).toBe(404);
      });
    });

    describe('text', () => {
      beforeEach(() => newEndpoint(bench, ask, 'e', { served_entities: [entity('a')] }));
      const messages = [
        { role: 'system', content: 'Be brief' },
        { role: 'user', content: 'one two three four' },
      ];

      it('chat gives choices and usage', async () => {
        expect(await good(query(ask, 'e', { messages, n: 2, temperature: 0.5, extra_params: { a: 'b' } }))).toEqual({
          id: expect.stringMatching(/^chatcmpl_/),
          object: 'chat.completion',
          created: expect.any(Number),
          model: 'main.default.churn',
          choices: [0, 1].map((index) => ({
            index,
            message: { role: 'assistant', content: 'one two three four' },
            finish_reason: 'stop',
          })),
          usage: { prompt_tokens: 7, completion_tokens: 10, total_tokens: 17 },
        });
      });

      it('max_tokens and stop end a text', async () => {
        const one = async (rest: object) => (await good(query(ask, 'e', { messages, ...rest }))).choices[0];
        expect(await one({ max_tokens: 2 })).toMatchObject({
          message: { content: 'one two ' },
          finish_reason: 'length',
        });
        expect(await one({ stop: ['three', 'two'] })).toMatchObject({
          message: { content: 'one ' },
          finish_reason: 'stop',
        });
      });

      it('a prompt gives text', async () => {
        const answer = await good(query(ask, 'e', { prompt: ['a', 'b'] }));
        expect(answer).toMatchObject({
          object: 'text_completion',
          choices: [
            { index: 0, text: 'a' },
            { index: 1, text: 'b' },
          ],
        });
      });

      it('input gives embeddings of length 1, equal for equal texts', async () => {
        const answer = await good(query(ask, 'e', { input: ['a', 'b', 'a'] }));
        expect(answer.object).toBe('list');
        const [a, b, c] = answer.data.map(({ embedding }: { embedding: number[] }) => embedding);
        expect(a).toEqual(c);
        expect(a).not.toEqual(b);
        expect(Math.hypot(...a)).toBeCloseTo(1, 4);
      });

      it('stream gives server-sent events, whose pieces are the text', async () => {
        const content = 'A longer text with an emoji 😀 at the edge of a piece.';
        const reply = await query(ask, 'e', { messages: [{ role: 'user', content }], stream: true });
        expect(reply.headers.get('content-type')).toBe('text/event-stream; charset=utf-8');
        const events = reply.text.split('\n\n').filter((each) => each !== '');
        expect(events.at(-1)).toBe('data: [DONE]');
        const parsed = events.slice(0, -1).map((each) => JSON.parse(each.slice('data: '.length)));
        expect(parsed.map(({ choices }) => choices[0].delta.content ?? '').join('')).toBe(content);
        expect(parsed.length).toBeGreaterThan(3);
        expect(parsed[0]).toMatchObject({
          object: 'chat.completion.chunk',
          choices: [{ delta: { role: 'assistant' } }],
        });
        expect(parsed.at(-1)).toMatchObject({
          choices: [{ delta: {}, finish_reason: 'stop' }],
          usage: { total_tokens: expect.any(Number) },
        });
      });

      it.each([
        ['chat/completions', { messages: [{ role: 'user', content: 'hi' }] }, 'chat.completion'],
        ['completions', { prompt: 'hi' }, 'text_completion'],
        ['embeddings', { input: 'hi' }, 'list'],
      ])('%s names the endpoint as the model', async (path, body, object) => {
        expect(await good(ask('POST', `/${PATH}/${path}`, { model: 'e', ...body }))).toMatchObject({ object });
        expect((await ask('POST', `/${PATH}/${path}`, { model: 'none', ...body })).status).toBe(404);
        expect((await ask('POST', `/${PATH}/${path}`, body)).status).toBe(400);
      });

      it.each([
        [{ messages: [] }, '1 to'],
        [{ messages: [{ role: 'king', content: 'x' }] }, 'role'],
        [{ messages, n: 0 }, "'n'"],
        [{ messages, n: 17 }, "'n'"],
        [{ messages, max_tokens: 0 }, 'max_tokens'],
        [{ messages, temperature: 3 }, 'temperature'],
        [{ messages: [{ role: 'user', content: 'x'.repeat(524_289) }] }, 'tokens'],
        [{ prompt: 5 }, 'prompt'],
        [{ input: [] }, "'input'"],
      ])('%j is refused', async (body, message) => {
        const reply = await query(ask, 'e', body);
        expect(reply.status).toBe(400);
        expect(reply.body.message).toContain(message);
      });

      it('an external model accepts the input of its task', async () => {
        await good(ask('POST', PATH, { name: 'llm', config: external('llm/v1/chat') }));
        // No machines are started for it.
        await bench.jar.clock.advance('5s');
        expect((await good(query(ask, 'llm', { messages }))).model).toBe('gpt');
        expect(refusal(await query(ask, 'llm', { prompt: 'x' }))).toMatchObject({
          status: 400,
          message: expect.stringContaining("takes the field 'messages'"),
        });
      });

      it('keywords of the guardrails are let through in neither direction', async () => {
        const guardrails = { input: { invalid_keywords: ['Secret'] }, output: { invalid_keywords: ['four'] } };
        await good(ask('PUT', `${PATH}/e/ai-gateway`, { guardrails }));
        const say = async (content: string) =>
          refusal(await query(ask, 'e', { messages: [{ role: 'user', content }] }));
        expect(await say('a SECRET thing')).toMatchObject({
          status: 400,
          message: expect.stringContaining('input guardrail'),
        });
        expect(await say('one four')).toMatchObject({
          status: 400,
          message: expect.stringContaining('output guardrail'),
        });
        expect((await say('fine')).status).toBe(200);
      });
    });

    describe('models elsewhere', () => {
      it('a URL answers with its own status, and one that does not answer is an error', async () => {
        await using model = await Model.open({ status: 422, body: { detail: 'no' } });
        const at = (name: string, url: string) => entity(name, { environment_vars: { CLOUDJAR_MODEL_URL: url } });
        await newEndpoint(bench, ask, 'e', {
          served_entities: [at('a', `${model.url}/invocations`), at('b', 'http://127.0.0.1:1/')],
        });
        const reply = await query(ask, 'e', { instances: [1], extra: true });
        expect([reply.status, reply.body, reply.headers.get('served-model-name')]).toEqual([
          422,
          { detail: 'no' },
          'a',
        ]);
        expect([model.paths, model.bodies]).toEqual([['/invocations'], ['{"instances":[1],"extra":true}']]);
        const dead = await ask('POST', `/${PATH}/e/served-models/b/invocations`, { instances: [1] });
        expect(refusal(dead)).toMatchObject({ status: 502, code: 'INTERNAL_ERROR' });
      });

      it('with fallback the next entity answers for one that fails', async () => {
        await using broken = await Model.open({ status: 500, body: {} });
        const config = {
          served_entities: [entity('a', { environment_vars: { CLOUDJAR_MODEL_URL: broken.url } }), entity('b')],
        };
        await newEndpoint(bench, ask, 'e', config, { ai_gateway: { fallback_config: { enabled: true } } });
        const reply = await query(ask, 'e', { instances: [1] });
        expect([reply.status, reply.headers.get('served-model-name'), broken.bodies.length]).toEqual([200, 'b', 1]);
        await good(ask('PUT', `${PATH}/e/ai-gateway`, { fallback_config: { enabled: false } }));
        expect((await query(ask, 'e', { instances: [1] })).status).toBe(500);
      });

      it('a provider with an address is called there, with the key, which is a secret of the creator', async () => {
        await using model = await Model.open({ status: 200, body: { choices: [] } });
        await good(ask('POST', '/secrets/scopes/create', { scope: 's' }));
        await good(ask('POST', '/secrets/put', { scope: 's', key: 'k', string_value: 'from-scope' }));
        const name = async (own: object) => {
          const made = `e${model.paths.length}`;
          const served = { external_model: { name: 'gpt', task: 'llm/v1/chat', ...own } };
          await newEndpoint(bench, ask, made, { served_entities: [served] });
          await good(query(ask, made, { messages: [{ role: 'user', content: 'hi' }] }));
          const { authorization, 'api-key': key, 'x-key': own1 } = model.headers.at(-1) ?? {};
          return [model.paths.at(-1), authorization ?? key ?? own1, JSON.parse(model.bodies.at(-1) ?? '').model];
        };
        const base = { openai_api_base: `${model.url}/v1/` };
        expect(
          await name({ provider: 'openai', openai_config: { ...base, openai_api_key: '{{secrets/s/k}}' } }),
        ).toEqual(['/v1/chat/completions', 'Bearer from-scope', 'gpt']);
        expect(
          await name({
            provider: 'openai',
            openai_config: {
              ...base,
              openai_api_type: 'azure',
              openai_deployment_name: 'd',
              openai_api_version: '2024',
              openai_api_key_plaintext: 'plain',
            },
          }),
        ).toEqual(['/v1/openai/deployments/d/chat/completions?api-version=2024', 'plain', undefined]);
        expect(
          await name({
            provider: 'custom',
            custom_provider_config: {
              custom_provider_url: `${model.url}/x`,
              api_key_auth: { key: 'X-Key', value_plaintext: 'v' },
            },
          }),
        ).toEqual(['/x', 'v', 'gpt']);
        expect(
          await name({
            provider: 'databricks-model-serving',
            databricks_model_serving_config: {
              databricks_workspace_url: model.url,
              databricks_api_token_plaintext: 't',
            },
          }),
        ).toEqual(['/serving-endpoints/gpt/invocations', 'Bearer t', undefined]);
      });
    });
  },
  REAL_TIMES,
);
