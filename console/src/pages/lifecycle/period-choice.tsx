import { Select } from '../../shared/ui/field.tsx';
import { type Days, PERIODS } from './period.ts';

export function PeriodChoice({ days, choose }: { readonly days: Days; readonly choose: (days: Days) => void }) {
  return <Select label="Period" hideLabel value={days} onChange={choose} choices={PERIODS} />;
}
