import { bodyFields } from '../../../kernel/arm/body/index.ts';

const { object, text, word } = bodyFields();

const required = { required: true } as const;

/** The owner of the parent can change only the state of a connection. */
export const CONNECTION_BODY = object({
  properties: object(
    {
      privateLinkServiceConnectionState: object(
        {
          status: word(['Pending', 'Approved', 'Rejected', 'Disconnected'], required),
          description: text(),
          actionsRequired: text(),
        },
        required,
      ),
    },
    required,
  ),
});
