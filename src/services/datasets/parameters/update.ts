import { Type } from 'typebox';
import { ok } from '../../../kernel/http/index.ts';
import { changeDataset } from '../datasets/change.ts';
import { routeCode } from '../jar.ts';
import { Mistakes } from '../model/mistakes.ts';
import { isUpdatable, type Parameter, valueMistake } from './parameter.ts';

/** The documented limit. */
const MOST_UPDATES = 100;

const Update = Type.Object(
  {
    name: Type.String({ minLength: 1 }),
    newValue: Type.Optional(Type.Union([Type.String({ maxLength: 32_768 }), Type.Null()])),
  },
  { additionalProperties: false },
);

const Body = Type.Object(
  { updateDetails: Type.Array(Update, { minItems: 1, maxItems: MOST_UPDATES }) },
  { additionalProperties: false },
);

interface NewValue {
  readonly name: string;
  readonly newValue?: string | null;
}

/** All or nothing. Names are case-sensitive. */
export const updateParameters = routeCode(['dataset'], {
  body: Body,
  async handle(call) {
    const { updateDetails } = call.body;
    await changeDataset(call, call.params.dataset, 'update', (dataset) => {
      const parameters = updated(dataset.parameters ?? [], updateDetails);
      return { dataset: { ...dataset, parameters }, data: { parameters: updateDetails.map(({ name }) => name) } };
    });
    return ok(undefined);
  },
});

function updated(parameters: readonly Parameter[], updates: readonly NewValue[]): readonly Parameter[] {
  const mistakes = new Mistakes();
  const values = new Map<string, string>();
  for (const [i, { name, newValue }] of updates.entries()) {
    const at = `updateDetails[${i}]`;
    const parameter = parameters.find((each) => each.name === name);
    const value = newValue ?? '';
    const mistake = parameter && valueMistake(parameter, value);
    if (values.has(name)) mistakes.add(`${at}.name`, `The parameter '${shown(name)}' is given more than once.`);
    else if (!parameter)
      mistakes.add(`${at}.name`, `The dataset has no parameter '${shown(name)}'. Names are case-sensitive.`);
    else if (!isUpdatable(parameter.type))
      mistakes.add(`${at}.name`, `'${name}' is of the type ${parameter.type}, which cannot be updated.`);
    else if (mistake !== undefined) mistakes.add(`${at}.newValue`, `The value of '${name}' must ${mistake}.`);
    values.set(name, value);
  }
  mistakes.throwAny();
  return parameters.map((each) => withValue(each, values.get(each.name)));
}

function withValue(parameter: Parameter, value: string | undefined): Parameter {
  if (value === undefined) return parameter;
  const { currentValue: _, ...rest } = parameter;
  return value === '' ? rest : { ...rest, currentValue: value };
}

const shown = (name: string): string => name.slice(0, 100);
