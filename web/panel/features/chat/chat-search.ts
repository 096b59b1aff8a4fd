/** What the address of the Website Chatbox says: the day, if it is not today, and the open conversation. Never a name. */
export interface ChatSearch {
  day?: string;
  conversation?: string;
}

const uuid = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/;

/** Reads the search parameters; invalid ones are left out. */
export function readChatSearch({ day, conversation }: Record<string, unknown>): ChatSearch {
  return {
    ...(typeof day === 'string' && isDay(day) && { day }),
    ...(typeof conversation === 'string' && uuid.test(conversation) && { conversation }),
  };
}

const isDay = (day: string) => /^20\d\d-\d\d-\d\d$/.test(day) && !Number.isNaN(Date.parse(`${day}T00:00:00Z`));
