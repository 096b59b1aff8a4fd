/**
 * The time zones of area codes: where a number probably is. A mobile number moves with its owner, so this is only good enough to let people
 * sleep. An area code with two time zones has both.
 */
const eastern = 'America/New_York';
const central = 'America/Chicago';
const mountain = 'America/Denver';
const arizona = 'America/Phoenix';
const pacific = 'America/Los_Angeles';
const atlantic = 'America/Puerto_Rico';

const codesOf: readonly (readonly [zones: readonly string[], codes: string])[] = [
  [
    [central],
    `205 210 235 327 353 457 471 483 621 924 214 217 218 219 224 225 228 251 254 256 262 274 281 309 312 314 316 318 319 320 325 331 334 337 346 361 402 405 409 414 417
     430 447 464 469 479 501 504 507 512 515 531 534 539 557 563 572 573 580 601 608 612 615 618 629 630 636 641 651 659 660 662 682
     708 712 713 715 726 730 731 737 763 769 773 779 806 815 816 817 830 832 847 861 870 872 901 903 913 918 920 931 936 938
     940 945 952 956 972 975 979 985`,
  ],
  [[mountain], '303 307 385 406 435 505 575 719 720 748 801 915 970 983'],
  [[arizona], '480 520 602 623 928'],
  [
    [pacific],
    `206 209 213 357 738 253 279 310 323 341 350 360 369 408 415 424 425 442 503 509 510 530 559 562 564 619 626 628 650 657 661 669 702 707 714
     725 747 760 775 805 818 820 831 837 840 858 909 916 925 949 951 971`,
  ],
  [['America/Anchorage'], '907'],
  [['Pacific/Honolulu'], '808'],
  [[atlantic], '787 939 340'],
  [['Pacific/Guam'], '671 670'],
  [['Pacific/Pago_Pago'], '684'],
  // Two time zones.
  [[eastern, central], '270 364 423 448 574 606 812 850 906 930'],
  [[central, mountain], '308 432 605 620 701 785'],
  [[mountain, pacific], '208 458 541 986'],
];

const zonesOfCode = new Map(
  codesOf.flatMap(([zones, codes]) => codes.split(/\s+/).map((code) => [code, zones] as const)),
);

/** The time zones in which the owner of a US number probably is. Everything else is in the East. */
export const zonesOfPhone = (e164: string): readonly string[] => zonesOfCode.get(e164.slice(2, 5)) ?? [eastern];
