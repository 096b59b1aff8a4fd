/** The variables of a snippet as they are typed. Written in a message, braces would be placeholders of the message. */
export const variableNames = { name: '{name}', office: '{office}', link: '{link}', reply: '{reply}' } as const;
