export interface Rooms<Member> {
  join(member: Member, ...rooms: string[]): void;
  leave(member: Member, ...rooms: string[]): void;
  leaveAll(member: Member): void;
  /** The room's members now: a copy, because members may leave while it is read. */
  membersOf(room: string): Member[];
  /** Rooms with somebody in them. */
  readonly size: number;
}

/** Who receives which hints, in this process. A room exists while somebody is in it. */
export function openRooms<Member>(): Rooms<Member> {
  const members = new Map<string, Set<Member>>();
  const roomsOf = new Map<Member, Set<string>>();

  const remove = <A, B>(sets: Map<A, Set<B>>, key: A, value: B) => {
    const set = sets.get(key);
    if (set?.delete(value) && set.size === 0) sets.delete(key);
  };
  const add = <A, B>(sets: Map<A, Set<B>>, key: A, value: B) => {
    const set = sets.get(key);
    if (set) set.add(value);
    else sets.set(key, new Set([value]));
  };
  const leave = (member: Member, ...rooms: string[]) => {
    for (const room of rooms) {
      remove(members, room, member);
      remove(roomsOf, member, room);
    }
  };

  return {
    join(member, ...rooms) {
      for (const room of rooms) {
        add(members, room, member);
        add(roomsOf, member, room);
      }
    },
    leave,
    leaveAll: (member) => leave(member, ...(roomsOf.get(member) ?? [])),
    membersOf: (room) => [...(members.get(room) ?? [])],
    get size() {
      return members.size;
    },
  };
}
