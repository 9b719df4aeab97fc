import { Link } from 'wouter';
import { addressOf, useGo } from '../../shared/address.ts';
import { Select } from '../../shared/ui/field.tsx';
import { FailureNotice, Notice } from '../../shared/ui/notice.tsx';
import { recordAddress, STANDARD, useCompanies, useModel, useSupported } from './api.ts';
import { Grid } from './grid.tsx';
import styles from './records.module.css';

const FIRST_SET = 'customers';
const CUSTOM = 4;

/** A company and a set, chosen at the left, with its records beside them. */
export function Records({ rest }: { readonly rest: readonly string[] }) {
  const [api = STANDARD, companyId, set = FIRST_SET, open] = rest;
  const go = useGo();
  const companies = useCompanies();
  const model = useModel(api);
  const company = companies.data?.find(({ id }) => id === companyId) ?? companies.data?.[0];
  const supported = useSupported(company?.id);
  // A custom API is named by publisher, group and version before each of its sets.
  const custom = (supported.data ?? []).map((each) => each.split('/')).filter((parts) => parts.length === CUSTOM);
  const apis = [...new Set([STANDARD, 'v1.0', ...custom.map((parts) => parts.slice(0, -1).join('/')), api])];
  const sets = [...(model.data?.sets.keys() ?? [])];
  const chosen = model.data?.sets.get(set) ?? model.data?.sets.get(sets[0] ?? '');
  if (!company)
    return companies.data ? (
      <Notice title="There is no company. The seed of the jar declares them." />
    ) : (
      <FailureNotice failure={companies.failure} what="The companies" />
    );
  return (
    <div className={styles.outer}>
      <div className={styles.records}>
        <div className={styles.chooser}>
          <Select
            label="Company"
            value={company.id}
            onChange={(id) => go(recordAddress(api, id, set))}
            choices={(companies.data ?? []).map(({ id, name }) => ({ value: id, label: name }))}
          />
          <Select
            label="API"
            value={api}
            onChange={(name) => go(recordAddress(name, company.id, FIRST_SET))}
            choices={apis.map((name) => ({ value: name, label: name }))}
          />
          <FailureNotice failure={model.failure} what="The sets" />
          {chosen && (
            <div className={styles.narrow}>
              <Select
                label="Set"
                value={chosen.name}
                onChange={(name) => go(recordAddress(api, company.id, name))}
                choices={sets.map((name) => ({ value: name, label: name }))}
              />
            </div>
          )}
          <nav className={styles.sets} aria-label="Sets">
            {sets.map((name) => (
              <Link
                key={name}
                href={recordAddress(api, company.id, name)}
                className={styles.set}
                {...(name === chosen?.name && { 'aria-current': 'page' as const })}
              >
                {name}
              </Link>
            ))}
          </nav>
        </div>
        {chosen && (
          <Grid
            key={`${api} ${company.id} ${chosen.name}`}
            api={api}
            company={company.id}
            set={chosen}
            open={open}
            closed={rest.length === 0 ? addressOf('business') : recordAddress(api, company.id, chosen.name)}
          />
        )}
      </div>
    </div>
  );
}
