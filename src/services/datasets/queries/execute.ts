import { callerOf } from '../access/caller.ts';
import { findDataset } from '../access/find.ts';
import { takeRates } from '../access/throttle.ts';
import { routeCode } from '../jar.ts';
import { QUERIES } from '../limits.ts';
import { answerText } from './answer.ts';
import { ExecuteQueriesRequest, readRequest } from './request.ts';
import { refuseStreaming, runQuery } from './run.ts';

export const executeQueries = routeCode(['dataset'], {
  body: ExecuteQueriesRequest,
  responses: { 200: 'The rows of the first table that the query evaluates' },
  async admit(call) {
    refuseStreaming(await findDataset(call, call.params.dataset));
    await takeRates(call, [{ limit: QUERIES, scope: [callerOf(call).objectId.toLowerCase()] }]);
  },
  async handle(call) {
    const { text, includeNulls } = readRequest(call.body);
    const dataset = await findDataset(call, call.params.dataset);
    const body = await runQuery(call.jar, dataset, text, (answered) => answerText({ ...answered, includeNulls }));
    return { status: 200, body };
  },
});
