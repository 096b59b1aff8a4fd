export { ArrivalDoor } from './check-in.tsx';
export { type Front, useFront } from './use-office-front.ts';
