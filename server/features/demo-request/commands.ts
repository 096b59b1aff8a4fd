import { formatTable, type Command } from '#server/kit/command.ts';
import { allRequests } from './sql.ts';

export const demoRequestCommands: readonly Command[] = [
  {
    name: 'demo-requests',
    takes: '',
    says: 'Lists the visitors who asked for a demonstration, the newest first, and whether OPERATOR_EMAIL was told.',
    async run({ services, say }) {
      const requests = await allRequests(services.db);
      const rows = requests.map(({ createdAt, name, practice, email, phone, mailedAt }) => [
        createdAt.toISOString().slice(0, 16),
        name,
        practice,
        email,
        phone ?? '',
        mailedAt ? 'mailed' : 'waiting',
      ]);
      for (const line of formatTable(['asked', 'name', 'practice', 'email', 'phone', 'operator'], rows)) say(line);
    },
  },
];
