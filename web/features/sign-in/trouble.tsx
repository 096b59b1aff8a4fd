export { Trouble, useTroubleWords } from '#web/ui/plain/trouble.tsx';
