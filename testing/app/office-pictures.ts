import { chatConversations } from '#contract/index.ts';
import { photo } from '#testing/fixtures/forms.ts';
import { sendForm } from '#testing/fixtures/pictures.ts';
import type { TestApp, TestOffice } from './test-app.ts';

/** Sends a picture to a patient; returns its id. */
export async function sendPicture(
  testApp: TestApp,
  office: TestOffice,
  mark: string,
  userCode: string,
): Promise<string> {
  const target = { body: { targetUserCode: userCode } };
  const { body: conversation } = await testApp.call(chatConversations.openChatConversation, target, { as: office });
  const { body: sent } = await sendForm(
    testApp,
    `/chat-conversation/${conversation.conversationId}/messages`,
    { type: 'image', body: `Picture ${mark}` },
    { attachment: await photo(), as: office },
  );
  return sent.objectKey ?? '';
}
