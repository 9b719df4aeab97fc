import { useState } from 'react';
import { useGo, useSegments } from '../../shared/address.ts';
import { askService } from '../../shared/api/service.ts';
import { useAction } from '../../shared/api/use-action.ts';
import { Button } from '../../shared/ui/button.tsx';
import { Dialog } from '../../shared/ui/dialog.tsx';
import { Select, TextField } from '../../shared/ui/field.tsx';
import { Row } from '../../shared/ui/layout.tsx';
import { FailureNotice } from '../../shared/ui/notice.tsx';
import { apiPath, plainMessage, subscriptionAddress, useCompanies, useSupported } from './api.ts';

/** Subscribes a webhook to the changes of one set of a company. */
export function NewSubscription({ close }: { readonly close: () => void }) {
  const go = useGo();
  const [section, api, shownCompany, shownSet] = useSegments('business');
  const companies = useCompanies();
  const [chosenCompany, chooseCompany] = useState(section === 'records' ? shownCompany : undefined);
  const company = companies.data?.find(({ id }) => id === chosenCompany) ?? companies.data?.[0];
  const supported = useSupported(company?.id);
  const [chosen, choose] = useState(section === 'records' ? `${api}/${shownSet}` : undefined);
  const all = supported.data ?? [];
  const resource = all.find((each) => each === chosen) ?? all.find((each) => each === 'v2.0/customers') ?? all[0];
  const [notificationUrl, setAddress] = useState(`${location.origin}/_jar/inbox/business`);
  const [clientState, setClientState] = useState('');
  const create = useAction(
    async () => {
      const [set = '', ...route] = (resource ?? '').split('/').reverse();
      const path = apiPath(route.reverse().join('/'));
      const body = {
        notificationUrl,
        resource: `${path}/companies(${company?.id})/${set}`,
        ...(clientState !== '' && { clientState }),
      };
      const made = await askService<{ subscriptionId: string }>(`${path}/subscriptions`, { method: 'POST', body });
      return made.body.subscriptionId;
    },
    {
      inline: true,
      after: (id) => {
        close();
        go(subscriptionAddress(id));
      },
    },
  );
  return (
    <Dialog title="Subscribe a webhook" close={close}>
      <FailureNotice failure={companies.failure ?? supported.failure} what="The resources" />
      {company && resource !== undefined && (
        <>
          <Select
            label="Company"
            value={company.id}
            onChange={chooseCompany}
            choices={(companies.data ?? []).map(({ id, name }) => ({ value: id, label: name }))}
          />
          <Select
            label="Set"
            value={resource}
            onChange={choose}
            choices={all.map((each) => ({ value: each, label: each }))}
            description="Only these sets support webhooks."
          />
          <TextField
            label="Webhook address"
            value={notificationUrl}
            onChange={setAddress}
            error={create.failure && plainMessage(create.failure.message)}
            description="An inbox of the jar answers the handshake by itself and keeps what it receives."
          />
          <TextField
            label="Client state"
            value={clientState}
            onChange={setClientState}
            description="Sent with every notification, so that the receiver knows who sends it."
          />
          <Row>
            <Button look="main" isDisabled={create.isRunning} onPress={() => void create.run()}>
              Subscribe
            </Button>
          </Row>
        </>
      )}
    </Dialog>
  );
}
