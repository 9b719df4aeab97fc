// Without the fonts of the default theme: the system's own are there at once.
import DefaultTheme from 'vitepress/theme-without-fonts';
import './style.css';

export default DefaultTheme;
