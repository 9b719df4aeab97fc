import { errorTable } from '../../../kernel/http/index.ts';

/** Errors of the management API for partners. */
export const partnerErrors = errorTable({
  PartnerNotAuthorized: [
    403,
    "The partner '{partner}' may not create resources in the group '{group}' of the subscription '{subscription}': the partner configuration there has no authorization for it, or only an expired one. The customer has to authorize the partner first.",
  ],
  PartnerResourceExists: [
    409,
    "The group '{group}' already has a {type} '{name}', which does not belong to this channel.",
  ],
  SourceAlreadyRouted: [
    409,
    "The channel '{channel}' of the partner namespace has the source '{source}' already; events are routed by their source, so that each channel needs one of its own.",
  ],
  VerifiedPartnerNotFound: [404, "There is no verified partner '{name}'."],
  ChannelDeleted: [
    409,
    "The channel of '{name}' was deleted by its partner; it gets no more events and cannot be activated.",
  ],
});
