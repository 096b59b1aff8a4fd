import { signTwilio, twilioSignatureHeader } from '#server/providers/sms/twilio-signature.ts';
import { twilioAccount, twilioToken, type TwilioMessage } from './twilio-account.ts';

/** What Twilio calls an app at `publicUrl` with: reports of texts, and texts from phones. */
export function twilioCallbacks(publicUrl: string, sid: (kind: string) => string) {
  /** One of Twilio's callbacks, signed over the URL as Twilio knows it. */
  const callOf = (address: string, fields: Record<string, string>) => {
    const form = new URLSearchParams({ AccountSid: twilioAccount, ApiVersion: '2010-04-01', ...fields });
    const { pathname, search } = new URL(address);
    return {
      method: 'POST' as const,
      url: `${pathname}${search}`,
      headers: {
        'content-type': 'application/x-www-form-urlencoded; charset=UTF-8',
        [twilioSignatureHeader]: signTwilio(twilioToken, address, form),
      },
      payload: form.toString(),
    };
  };

  /** The report of a message's new status. */
  const reportOf = (message: TwilioMessage, status: string, code?: number) =>
    callOf(message.statusCallback, {
      MessageSid: message.sid,
      SmsSid: message.sid,
      MessageStatus: status,
      SmsStatus: status,
      To: message.to,
      From: message.from,
      ...(code && { ErrorCode: String(code) }),
    });

  /** A text from a phone. */
  const replyOf = (reply: {
    from: string;
    to: string;
    body: string;
    sid?: string;
    files?: { url: string; type: string }[];
  }) => {
    const id = reply.sid ?? sid('SM');
    const media = (reply.files ?? []).flatMap((file, i) => [
      [`MediaUrl${i}`, file.url],
      [`MediaContentType${i}`, file.type],
    ]);
    return callOf(`${publicUrl}/api/sms/inbound`, {
      MessageSid: id,
      SmsSid: id,
      SmsStatus: 'received',
      From: reply.from,
      To: reply.to,
      Body: reply.body,
      NumMedia: String(reply.files?.length ?? 0),
      NumSegments: '1',
      ...Object.fromEntries(media),
    });
  };

  return { callOf, reportOf, replyOf };
}
