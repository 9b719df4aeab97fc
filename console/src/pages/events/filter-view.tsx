import { Facts, Mono } from '../../shared/ui/layout.tsx';
import type { Subscription } from './api.ts';

type Filter = NonNullable<Subscription['filter']>;
type Condition = NonNullable<Filter['advancedFilters']>[number];

/** A filter as the sentences that an event must meet, all of them. */
export function FilterView({ filter }: { readonly filter: Filter | undefined }) {
  if (!filter || isEmpty(filter)) return <p>Every event of the scope matches.</p>;
  const { includedEventTypes, subjectBeginsWith, subjectEndsWith, isSubjectCaseSensitive, advancedFilters } = filter;
  return (
    <Facts
      facts={[
        includedEventTypes !== undefined && { label: 'Type is one of', value: <Items of={includedEventTypes} /> },
        { label: 'Subject begins with', value: subjectBeginsWith && <Mono>{subjectBeginsWith}</Mono> },
        { label: 'Subject ends with', value: subjectEndsWith && <Mono>{subjectEndsWith}</Mono> },
        isSubjectCaseSensitive === true && { label: 'Case of the subject', value: 'matters' },
        ...(advancedFilters ?? []).map((condition, index) => ({
          label: index === 0 ? 'And' : `And (${index + 1})`,
          value: <Mono>{textOf(condition)}</Mono>,
        })),
      ]}
    />
  );
}

function Items({ of }: { readonly of: readonly string[] }) {
  return (
    <>
      {of.map((item) => (
        <div key={item}>
          <Mono>{item}</Mono>
        </div>
      ))}
    </>
  );
}

const isEmpty = ({ includedEventTypes, subjectBeginsWith, subjectEndsWith, advancedFilters }: Filter): boolean =>
  includedEventTypes === undefined && subjectBeginsWith === '' && subjectEndsWith === '' && !advancedFilters?.length;

/** `data.color StringIn "red", "green"` */
function textOf({ key, operatorType, value, values }: Condition): string {
  const wanted = values ?? (value === undefined ? [] : [value]);
  return [key, operatorType, wanted.map((each) => JSON.stringify(each)).join(', ')].join(' ').trim();
}

/** The same in one line, for a list. */
export function filterText(filter: Filter | undefined): string {
  if (!filter || isEmpty(filter)) return 'everything';
  const { includedEventTypes = [], subjectBeginsWith, subjectEndsWith, advancedFilters = [] } = filter;
  return [
    ...includedEventTypes.slice(0, 1),
    ...(includedEventTypes.length > 1 ? [`${includedEventTypes.length - 1} more types`] : []),
    ...(subjectBeginsWith === '' ? [] : [`${subjectBeginsWith}…`]),
    ...(subjectEndsWith === '' ? [] : [`…${subjectEndsWith}`]),
    ...advancedFilters.map(textOf),
  ].join(', ');
}
