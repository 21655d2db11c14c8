@rem The scripts of package.json begin with exec, which a POSIX shell has and Windows has not.
@%*
