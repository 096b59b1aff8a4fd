/** For the notices, which are a folder of their own because their texts load later. */
export { useStatusMessages } from './status-messages.ts';
export { TapButton, type TapProps } from './tap-button.tsx';
