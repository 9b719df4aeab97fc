/** What apps run on, and what they are made with. A module of its own, as the seed needs it at every start. */

export const SYSTEMS = ['Android', 'iOS', 'macOS', 'Tizen', 'tvOS', 'Windows', 'Linux', 'Custom'] as const;
export const PLATFORMS = [
  'Java',
  'Objective-C-Swift',
  'UWP',
  'Cordova',
  'React-Native',
  'Xamarin',
  'Unity',
  'Electron',
  'WPF',
  'WinForms',
  'Custom',
] as const;
