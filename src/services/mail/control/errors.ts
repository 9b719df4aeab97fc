import { errorTable } from '../../../kernel/http/index.ts';

/** Every error of the control API for mail. */
export const mailControlErrors = errorTable({
  UserNotFound: [404, "There is no user '{user}' in this jar; GET /_jar/users lists them."],
  MessageNotFound: [404, "There is no message '{message}' in the mailbox of {address}."],
  AttachmentNotFound: [404, "The message has no attachment '{attachment}'."],
  AttachmentEmpty: [409, "The attachment '{name}' is a link to {url} and has no content of its own."],
  FolderNotFound: [
    404,
    "The mailbox of {address} has no folder '{folder}'; a folder is named by its display name or a well-known name, such as inbox, sentitems or deleteditems.",
  ],
  KeptMailNotFound: [404, "There is no kept mail '{id}'; GET /_jar/mail/kept lists them."],
  EndpointNotFound: [404, "There is no receiver '{id}'; GET /_jar/mail/endpoints lists them."],
  MalformedJson: [400, '{reason}'],
  InvalidBody: [400, "The property '{field}' of the request body {reason}."],
  InvalidMail: [400, 'The mail is not valid: {reason}.'],
  MailTooLarge: [
    413,
    "The mail has {size} bytes; the maximum is {maximum}, the setting 'messageSizeLimit' of PATCH /_jar/mail/settings.",
  ],
  InvalidAddress: [400, "'{address}' is neither a mail address nor a user of this jar."],
  RecipientMissing: [400, 'The mail has no recipient; {hint}.'],
  TooManyRecipients: [400, 'A mail can have at most {maximum} recipients; this one has {count}.'],
  RecipientUnknown: [400, "There is no mailbox '{address}' in this jar."],
  RecipientElsewhere: [
    400,
    "'{address}' is not in a domain of this jar ({domains}), and this endpoint does not relay mail to other domains. List the receiving mailboxes in 'recipients'; the header can then name any address.",
  ],
});
