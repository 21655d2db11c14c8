@echo off
rem Windows has no exec. It runs this file for the scripts of package.json, which begin with
rem `exec ./with-node`, and this file does what with-node does elsewhere.
setlocal DisableDelayedExpansion
set "modules=%~dp0node_modules"

rem npm skips optional packages that need a newer Node than its own. This one needs the newest.
if exist "%modules%\rolldown" if not exist "%modules%\@rolldown\binding-*" (
  >&2 echo npm has left out packages that Octavo needs: run npm ci with Node 20.19, 22.12 or later, and without --omit=optional.
  exit /b 1
)

set "installed="
for /d %%d in ("%modules%\node-*") do "%%d\bin\node.exe" --version >nul 2>nul && set "installed=%%d\bin;"
set "PATH=%installed%%PATH%"

set "found=none"
for /f %%v in ('node --version 2^>nul') do set "found=%%v"
node --eval "process.exit(parseInt(process.versions.node) < 24 ? 1 : 0)" 2>nul
if errorlevel 1 (
  >&2 echo Octavo needs Node 24 or later and found %found%. npm ci installs it on Windows for x64. Elsewhere, install it yourself.
  exit /b 1
)

rem npm escapes arguments so that they can be read twice: by its own shell and on the next line. An
rem expanded `%words%` would be read a third time, where an & ends the command. `!words!` is not.
set words=%*
setlocal EnableDelayedExpansion
set "words=!words:*with-node =!"
!words!
