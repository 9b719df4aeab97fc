import { describe, expect, it } from 'vitest';
import { ApiError } from '../../../../../src/kernel/http/index.ts';
import type { SearchLanguage } from '../../../../../src/services/platform/tracking/search/language.ts';
import { EXPERIMENTS } from '../../../../../src/services/platform/tracking/search/languages/experiments.ts';
import { LOGGED_MODELS } from '../../../../../src/services/platform/tracking/search/languages/logged-models.ts';
import {
  MODEL_VERSIONS,
  REGISTERED_MODELS,
} from '../../../../../src/services/platform/tracking/search/languages/registry.ts';
import { RUNS } from '../../../../../src/services/platform/tracking/search/languages/runs.ts';
import { TRACES } from '../../../../../src/services/platform/tracking/search/languages/traces.ts';
import { parseFilter } from '../../../../../src/services/platform/tracking/search/parse-filter.ts';
import { parseOrder } from '../../../../../src/services/platform/tracking/search/parse-order.ts';

/** `metric acc > 0.9`, in short. */
const read = (filter: string, language: SearchLanguage = RUNS) =>
  parseFilter(filter, language).map(({ entity, key, operator, value }) => [entity, key, operator, value]);

function refusal(action: () => unknown): string {
  try {
    action();
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    expect([error.status, error.code]).toEqual([400, 'INVALID_PARAMETER_VALUE']);
    return error.message;
  }
  return 'accepted';
}

describe('the search language', () => {
  it.each<[string, unknown[][]]>([
    ['', []],
    ['   ', []],
    ['metrics.acc > 0.9', [['metric', 'acc', '>', 0.9]]],
    ['metric.acc >= -1.5e-3', [['metric', 'acc', '>=', -0.0015]]],
    ['metrics.a.b < +3', [['metric', 'a.b', '<', 3]]],
    ['metrics.a=1', [['metric', 'a', '=', 1]]],
    ['metrics.`a b` != .5', [['metric', 'a b', '!=', 0.5]]],
    ['metrics."a-b" <= 1.', [['metric', 'a-b', '<=', 1]]],
    ['metrics.acc<>1', [['metric', 'acc', '!=', 1]]],
    ['metrics.acc == 1', [['metric', 'acc', '=', 1]]],
    ['metrics.5 > 1', [['metric', '5', '>', 1]]],
    ["params.lr = '0.1'", [['parameter', 'lr', '=', '0.1']]],
    ['parameter.lr != "0.1"', [['parameter', 'lr', '!=', '0.1']]],
    ["parameters.lr like '%x_'", [['parameter', 'lr', 'LIKE', '%x_']]],
    ["param.lr iLiKe 'A%'", [['parameter', 'lr', 'ILIKE', 'A%']]],
    ["tags.mlflow.user = 'ada'", [['tag', 'mlflow.user', '=', 'ada']]],
    ["tag.`mlflow.user` = 'it''s'", [['tag', 'mlflow.user', '=', "it''s"]]],
    ["tags.x = ''", [['tag', 'x', '=', '']]],
    ['tags.x is null', [['tag', 'x', 'IS NULL', undefined]]],
    ['params.x IS  NOT\nNULL', [['parameter', 'x', 'IS NOT NULL', undefined]]],
    ["attributes.status = 'FINISHED'", [['attribute', 'status', '=', 'FINISHED']]],
    ["attr.run_name = 'a'", [['attribute', 'run_name', '=', 'a']]],
    ["run.user_id = 'a'", [['attribute', 'user_id', '=', 'a']]],
    ["status != 'FAILED'", [['attribute', 'status', '!=', 'FAILED']]],
    ['start_time > 1700000000000', [['attribute', 'start_time', '>', 1_700_000_000_000]]],
    ['Created > 5', [['attribute', 'start_time', '>', 5]]],
    ["`Run name` = 'a'", [['attribute', 'run_name', '=', 'a']]],
    ['"Run Name" LIKE "a%"', [['attribute', 'run_name', 'LIKE', 'a%']]],
    ["attribute.`run name` = 'a'", [['attribute', 'run_name', '=', 'a']]],
    ['run_id IN (\'a1\', "b2")', [['attribute', 'run_id', 'IN', ['a1', 'b2']]]],
    ["run_id not in ('a','B')", [['attribute', 'run_id', 'NOT IN', ['a']]]],
    ["datasets.name = 'd'", [['dataset', 'name', '=', 'd']]],
    ["dataset.digest IN ('X')", [['dataset', 'digest', 'IN', ['X']]]],
    [
      "metrics.a > 1 and params.b = ' AND ' AND tags.c LIKE '%'",
      [
        ['metric', 'a', '>', 1],
        ['parameter', 'b', '=', ' AND '],
        ['tag', 'c', 'LIKE', '%'],
      ],
    ],
  ])('reads %j', (filter, comparisons) => {
    expect(read(filter)).toEqual(comparisons);
  });

  it('knows the position of every comparison', () => {
    expect(parseFilter("metrics.a > 1 AND  status = 'x'", RUNS).map(({ at }) => at)).toEqual([0, 19]);
  });

  const RUN_KEYS =
    "{'run_id', 'run_name', 'user_id', 'status', 'start_time', 'end_time', 'artifact_uri', 'created', 'Created', 'run name', 'Run name', 'Run Name'}";

  it.each<[string, SearchLanguage, string]>([
    [
      "thing.x = 'a'",
      RUNS,
      "Invalid entity type 'thing'. Valid values are ['metric', 'parameter', 'tag', 'attribute', 'dataset'] (at character 1)",
    ],
    [
      "metrics.a > 1 AND Metrics.x = 'a'",
      RUNS,
      "Invalid entity type 'Metrics'. Valid values are ['metric', 'parameter', 'tag', 'attribute', 'dataset'] (at character 19)",
    ],
    ["colour = 'a'", RUNS, `Invalid attribute key 'colour' specified. Valid keys are '${RUN_KEYS}' (at character 1)`],
    [
      "dataset.colour = 'a'",
      RUNS,
      "Invalid dataset key 'colour' specified. Valid keys are '{'name', 'digest', 'context'}' (at character 1)",
    ],
    ['metrics.a > 1 OR metrics.b > 1', RUNS, "Invalid clause(s) in filter string: 'OR' (at character 15)"],
    ['(metrics.a > 1)', RUNS, "Invalid clause(s) in filter string: '(metrics.a > 1)' (at character 1)"],
    ['metrics.a > 1 metrics.b > 1', RUNS, "Invalid clause(s) in filter string: 'metrics.b > 1' (at character 15)"],
    ['foo bar', RUNS, "Invalid clause(s) in filter string: 'foo', 'bar' (at character 1)"],
    ['NOT metrics.a > 1', RUNS, "Invalid clause(s) in filter string: 'NOT' (at character 1)"],
    ['metrics.a > 1 AND', RUNS, "Invalid clause(s) in filter string: 'AND' (at character 15)"],
    ['AND metrics.a > 1', RUNS, "Invalid clause(s) in filter string: 'AND' (at character 1)"],
    ['metrics.a > 1;', RUNS, "Invalid clause(s) in filter string: ';' (at character 14)"],
    ['metrics.a >', RUNS, 'Invalid comparison clause. Expected 3 tokens found 2 (at character 11)'],
    ['metrics.a > > 1', RUNS, 'Invalid comparison clause. Expected 3 tokens found 4 (at character 11)'],
    [
      'metrics.b = 1 AND metrics.a > AND',
      RUNS,
      'Invalid comparison clause. Expected 3 tokens found 2 (at character 29)',
    ],
    ['1 < metrics.a', RUNS, "Invalid comparison clause. Expected 'Identifier' found '1' (at character 1)"],
    ["'a' = params.a", RUNS, "Invalid comparison clause. Expected 'Identifier' found ''a'' (at character 1)"],
    ["metrics.a > '1'", RUNS, "Expected numeric value type for metric. Found '1' (at character 13)"],
    ['metrics.a > metrics.b', RUNS, 'Expected numeric value type for metric. Found metrics.b (at character 13)'],
    ['metrics.a = NaN', RUNS, 'Expected numeric value type for metric. Found NaN (at character 13)'],
    [
      "start_time > '5'",
      RUNS,
      "Expected numeric value type for numeric attribute: start_time. Found '5' (at character 14)",
    ],
    [
      'params.a = 1',
      RUNS,
      "Expected a quoted string value for parameter (e.g. 'my-value'). Got value 1 (at character 12)",
    ],
    ['tags.a = 1', RUNS, "Expected a quoted string value for tag (e.g. 'my-value'). Got value 1 (at character 10)"],
    ['status = 1', RUNS, 'Expected a quoted string value for attributes. Got value 1 (at character 10)'],
    [
      'params.a = abc',
      RUNS,
      'Parameter value is either not quoted or unidentified quote types used for string value abc. Use either single or double quotes. (at character 12)',
    ],
    [
      'params.a = `abc`',
      RUNS,
      'Parameter value is either not quoted or unidentified quote types used for string value `abc`. Use either single or double quotes. (at character 12)',
    ],
    [
      "params.a > 'x'",
      RUNS,
      "Invalid comparator '>' not one of '{'=', '!=', 'LIKE', 'ILIKE', 'IS NULL', 'IS NOT NULL'}' (at character 10)",
    ],
    ["status < 'x'", RUNS, "Invalid comparator '<' not one of '{'=', '!=', 'LIKE', 'ILIKE'}' (at character 8)"],
    [
      'metrics.a LIKE 1',
      RUNS,
      "Invalid comparator 'LIKE' not one of '{'=', '!=', '<', '<=', '>', '>='}' (at character 11)",
    ],
    [
      'metrics.a IS NULL',
      RUNS,
      "IS NULL / IS NOT NULL is only supported for tags and params, not for 'metric' 'a' (at character 11)",
    ],
    [
      'status IS NOT NULL',
      RUNS,
      "IS NULL / IS NOT NULL is only supported for tags and params, not for 'attribute' 'status' (at character 8)",
    ],
    [
      "status IN ('a')",
      RUNS,
      "Only the 'run_id' attribute supports comparison with a list of quoted string values. (at character 11)",
    ],
    [
      'run_id IN ()',
      RUNS,
      'While parsing a list in the query, expected a non-empty list of string values, but got empty list (at character 11)',
    ],
    [
      "run_id IN ('a' 'b')",
      RUNS,
      'While parsing a list in the query, expected a non-empty list of string values, but got ill-formed list. (at character 16)',
    ],
    [
      "run_id IN ('a', 1)",
      RUNS,
      "While parsing a list in the query, expected string value, punctuation, or whitespace, but got different type in list: ('a', 1) (at character 17)",
    ],
    [
      "metrics.a > 1; status = 'a'",
      RUNS,
      "Search filter contained multiple expression 'metrics.a > 1; status = 'a''. Provide AND-ed expression list. (at character 14)",
    ],
    ["params.a = 'x", RUNS, "Error on parsing filter 'params.a = 'x' (at character 12)"],
    ["run_id IN ('a'", RUNS, "Error on parsing filter 'run_id IN ('a'' (at character 11)"],
    [
      'metrics.a > 1',
      EXPERIMENTS,
      "Invalid entity type 'metrics'. Valid entity types are ('attribute', 'tag', 'tags') (at character 1)",
    ],
    [
      "run_id = 'a'",
      EXPERIMENTS,
      "Invalid attribute key 'run_id' specified. Valid keys are '{'name', 'creation_time', 'last_update_time'}' (at character 1)",
    ],
    [
      'params.a > 1',
      REGISTERED_MODELS,
      "Invalid entity type 'params'. Valid entity types are ('attribute', 'tag', 'tags') (at character 1)",
    ],
    [
      "version_number = '1'",
      MODEL_VERSIONS,
      "Expected numeric value type for numeric attribute: version_number. Found '1' (at character 18)",
    ],
    [
      "name = 'a' OR name = 'b'",
      LOGGED_MODELS,
      "Invalid filter string: 'name = 'a' OR name = 'b''. Expected a list of comparisons separated by 'AND' (e.g. 'metrics.loss > 0.1 AND params.lr = 0.01'). (at character 12)",
    ],
    [
      'metrics.a LIKE 1',
      LOGGED_MODELS,
      "Invalid comparison operator for metrics: 'LIKE'. Expected one of ('=', '!=', '<', '<=', '>', '>='). (at character 11)",
    ],
    [
      "name like 'a'",
      LOGGED_MODELS,
      "Invalid comparison operator for name: 'like'. Expected one of ('=', '!=', 'LIKE', 'ILIKE', 'IN', 'NOT IN'). (at character 6)",
    ],
    ["text = 'a'", TRACES, "Invalid comparator '=' not one of '{'LIKE', 'ILIKE'}' (at character 6)"],
  ])('refuses %j with the text of the real service and the position', (filter, language, message) => {
    expect(refusal(() => parseFilter(filter, language))).toBe(message);
  });

  it.each<[string, unknown]>([
    ['start_time', { entity: 'attribute', key: 'start_time', descending: false }],
    ['  start_time   desc ', { entity: 'attribute', key: 'start_time', descending: true }],
    ['metrics.acc DESC', { entity: 'metric', key: 'acc', descending: true }],
    ['metrics.`a b` ASC', { entity: 'metric', key: 'a b', descending: false }],
    ['params."x y"', { entity: 'parameter', key: 'x y', descending: false }],
    ['tag.mlflow.user aSc', { entity: 'tag', key: 'mlflow.user', descending: false }],
    ['`Run Name` DESC', { entity: 'attribute', key: 'run_name', descending: true }],
    ['"created"', { entity: 'attribute', key: 'start_time', descending: false }],
  ])('orders by %j', (clause, key) => {
    expect(parseOrder([clause], RUNS)).toEqual([key]);
  });

  it.each<[string[], string]>([
    [['start_time desc now'], "Invalid order_by clause 'start_time desc now'. Could not be parsed."],
    [[''], "Invalid order_by clause ''. Could not be parsed."],
    [['1 desc'], "Invalid order_by clause '1 desc'. Could not be parsed."],
    [['`a desc'], "Invalid order_by clause '`a desc'. Could not be parsed."],
    [['start_time up'], "Invalid ordering key in order_by clause 'start_time up'."],
    [['start_time', 'run_id', 'attr.start_time desc'], "`order_by` contains duplicate fields: ['start_time']"],
    [['metrics.a', 'metric.`a`'], "`order_by` contains duplicate fields: ['metric.a']"],
    [
      ['datasets.name'],
      "Invalid entity type 'datasets'. Valid values are ['metric', 'parameter', 'tag', 'attribute', 'dataset']",
    ],
  ])('refuses to order by %j', (clauses, message) => {
    expect(refusal(() => parseOrder(clauses, RUNS))).toBe(message);
  });
});
