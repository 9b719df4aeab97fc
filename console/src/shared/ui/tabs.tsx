import type { ReactNode } from 'react';
import { Tabs as AriaTabs, Tab, TabList, TabPanel } from 'react-aria-components';
import { useAddressParam } from '../address.ts';
import styles from './tabs.module.css';

export interface TabContent {
  readonly id: string;
  readonly title: ReactNode;
  readonly content: () => ReactNode;
}

interface Props {
  readonly label: string;
  readonly tabs: readonly (TabContent | false | undefined)[];
  /** Name of the search parameter that keeps the chosen tab in the address. */
  readonly param?: string;
}

/** Tabs whose choice is in the address. Only the chosen one is rendered. */
export function Tabs({ label, tabs, param = 'tab' }: Props) {
  const [chosen, choose] = useAddressParam(param);
  const shown = tabs.filter((tab): tab is TabContent => Boolean(tab));
  const current = shown.find(({ id }) => id === chosen) ?? shown[0];
  if (!current) return null;
  return (
    <AriaTabs
      className={styles.tabs as string}
      selectedKey={current.id}
      onSelectionChange={(key) => choose(key === shown[0]?.id ? undefined : String(key))}
    >
      <TabList className={styles.list as string} aria-label={label}>
        {shown.map(({ id, title }) => (
          <Tab key={id} id={id} className={styles.tab as string}>
            {title}
          </Tab>
        ))}
      </TabList>
      {shown.map(({ id, content }) => (
        <TabPanel key={id} id={id} className={styles.panel as string}>
          {id === current.id && content()}
        </TabPanel>
      ))}
    </AriaTabs>
  );
}
